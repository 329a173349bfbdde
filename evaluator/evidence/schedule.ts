import { ObjectReader } from '../fields/index.ts';
import {
  type BlockSize,
  blockSize,
  CALIBRATION_READS,
  type Calibration,
  mostSequences,
  type PairPrompts,
  pairPrompts,
  type TimedSequence,
  timedSequence,
} from '../select/index.ts';
import type { QuadTokens } from '../speed/index.ts';
import type { PlaceContext, Run } from './context.ts';

/** What is timed, fixed before the first timed read. */
export interface Schedule {
  readonly calibration: Calibration;
  readonly size: BlockSize;
  readonly pairs: readonly PairPrompts[];
}

/**
 * The schedule that follows from the seed and the calibration.
 * @throws SelectError CALIBRATION_INVALID
 */
export function scheduleOf(context: PlaceContext, run: Run, calibration: Calibration): Schedule {
  const { pairs, quads, block_ms_min } = context.rules.speed;
  const size = blockSize(calibration, block_ms_min, mostSequences(run.pool.length, quads));
  const { seed, pool, selected } = run;
  return { calibration, size, pairs: pairPrompts({ seed, pool, selected, pairs, quads, sequences: size.sequences }) };
}

/** schedule.json; prompts by their number in the pool. */
export function scheduleFile(schedule: Schedule): unknown {
  return { schema_version: 1, calibration: schedule.calibration, size: schedule.size, pairs: schedule.pairs };
}

/**
 * The calibration of schedule.json; everything else in it follows from that and is compared as bytes.
 * @throws FieldError
 */
export function parseCalibration(value: unknown): Calibration {
  const reader = new ObjectReader(value, 'schedule', ['schema_version', 'calibration', 'size', 'pairs']);
  const keys = ['baseline_ns', 'candidate_ns'] as const;
  const fields = new ObjectReader(reader.raw('calibration'), 'schedule.calibration', keys);
  const times = (key: (typeof keys)[number]) =>
    fields.array(key, CALIBRATION_READS, CALIBRATION_READS).map((ns) => {
      if (!Number.isSafeInteger(ns) || (ns as number) < 1) fields.fail('FIELD_INTEGER', key);
      return ns as number;
    });
  return { baseline_ns: times('baseline_ns'), candidate_ns: times('candidate_ns') };
}

/** The sequence that a lane is asked for: prompt number `at` of the pool, with so many positions in all. */
export function sequenceOf(run: Run, at: number, positions: number): TimedSequence {
  return timedSequence(run.pool[at]?.tokens ?? [], positions);
}

/** Decoded tokens of every quad's two halves, as the host asks for them. */
export function quadTokens(run: Run, schedule: Schedule): QuadTokens[][] {
  const tokens = (half: readonly number[]) =>
    half.reduce((sum, at) => sum + sequenceOf(run, at, schedule.size.positions).decode, 0);
  return schedule.pairs.map(({ halves }) =>
    Array.from(
      { length: halves.length / 2 },
      (_, q): QuadTokens => [tokens(halves[2 * q] ?? []), tokens(halves[2 * q + 1] ?? [])],
    ),
  );
}
