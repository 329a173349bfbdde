import {
  completeQuads,
  type PlaceContext,
  parseBlocks,
  parseCalibration,
  quadTokens,
  type Run,
  type Schedule,
  scheduleFile,
  scheduleOf,
} from '../evidence/index.ts';
import { canonicalBytes } from '../identity/index.ts';
import { gradePaired, type SpeedVerdict } from '../speed/index.ts';
import { claim, ensure } from './errors.ts';
import type { EvidenceFiles } from './files.ts';

/** The schedule that the seed gives with the author's calibration, compared with schedule.json. */
export function checkSchedule(context: PlaceContext, run: Run, files: EvidenceFiles): Schedule {
  const schedule = claim('SCHEDULE', () => {
    return scheduleOf(context, run, parseCalibration(files.json('schedule.json')));
  });
  const same = Buffer.compare(files.bytes('schedule.json'), canonicalBytes(scheduleFile(schedule))) === 0;
  ensure(same, 'SCHEDULE', 'another schedule than seed and calibration give');
  return schedule;
}

/** What the speed policy says about blocks.json, all of whose blocks must be there. */
export function gradeBlocks(context: PlaceContext, run: Run, schedule: Schedule, files: EvidenceFiles): SpeedVerdict {
  const { speed, consensus } = context.rules;
  return claim('BLOCKS', () => {
    const quads = completeQuads(parseBlocks(files.json('blocks.json'), speed), speed);
    ensure(quads !== null, 'BLOCKS', 'blocks are missing');
    return gradePaired(speed, quads, quadTokens(run, schedule), consensus.max_speedup_ppm);
  });
}

/** A run that was cut short while timing: what there is must be a beginning of the schedule. */
export function checkCutTiming(context: PlaceContext, run: Run, files: EvidenceFiles): void {
  if (files.has('schedule.json')) checkSchedule(context, run, files);
  if (!files.has('blocks.json')) return;
  ensure(files.has('schedule.json'), 'FILES', 'blocks without a schedule');
  const { speed } = context.rules;
  const times = claim('BLOCKS', () => parseBlocks(files.json('blocks.json'), speed));
  ensure(completeQuads(times, speed) === null, 'VERDICT', 'every block was timed, so nothing cut the timing short');
}
