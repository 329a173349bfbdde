import {
  completeQuads,
  type HalfTokens,
  type HostFacts,
  quadTokens,
  type Schedule,
  scheduleOf,
} from '../../evaluator/evidence/index.ts';
import { CALIBRATION_READS, type PairPrompts, pairPrompts } from '../../evaluator/select/index.ts';
import {
  formatDouble17,
  fractionToDouble,
  gradePaired,
  medianFraction,
  pairRatio,
  type QuadTimes,
  type SpeedVerdict,
} from '../../evaluator/speed/index.ts';
import { fail, undecided } from './attempt.ts';
import { calibrate, generate, type SideLane, warmUp } from './lane-work.ts';
import { type Measurement, type SideModules, withLane } from './run.ts';

/**
 * B and C: pairs of fresh processes, quads B C C B', every block host-timed (`names.md`, paired-preview.v9). The
 * schedule is fixed after the calibration of the first pair, before the first timed read.
 * @returns the settled speedup of a run that is fast enough
 * @throws Ended too_slow, inconclusive, crashed, deadline or infrastructure
 */
export async function timePairs(measurement: Measurement, modules: SideModules): Promise<string> {
  const { context, run, record, dependencies } = measurement;
  record.stage = 'timed';
  const trajectory: HalfTokens[][] = [];
  const facts: HostFacts[] = [];
  for (let pair = 0; pair < context.rules.speed.pairs; pair++) {
    const result = await withLane(measurement, 'host', modules.baseline, (baseline, baselineFacts) =>
      withLane(measurement, 'candidate', modules.candidate, async (candidate, candidateFacts) => {
        facts.push(baselineFacts, candidateFacts);
        return timePair(measurement, pair, { actor: 'host', lane: baseline }, { actor: 'candidate', lane: candidate });
      }),
    );
    trajectory.push(result);
    dependencies.onProgress?.({ stage: 'timed', pairs: pair + 1, speedup: medianSoFar(measurement) });
  }
  record.facts.push(...facts);
  const schedule = record.schedule as Schedule;
  const { speed, consensus } = context.rules;
  const quads = completeQuads(record.times, speed) as readonly (readonly QuadTimes[])[];
  const verdict = gradePaired(speed, quads, quadTokens(run, schedule), consensus.max_speedup_ppm);
  if (verdict.result !== 'PASS') throw slow(verdict);
  record.trajectory = trajectory;
  return verdict.speedup as string;
}

function slow(verdict: SpeedVerdict): Error {
  const detail = `median ratio ${verdict.median}`;
  return verdict.result === 'FAIL' ? fail('too_slow', detail) : undecided('inconclusive', detail);
}

async function timePair(
  measurement: Measurement,
  pair: number,
  baseline: SideLane,
  candidate: SideLane,
): Promise<HalfTokens[]> {
  const { attempt, run, record } = measurement;
  const warmup = record.schedule?.pairs[pair]?.warmup ?? firstWarmup(measurement);
  await warmUp(attempt, baseline, run, warmup);
  await warmUp(attempt, candidate, run, warmup);
  record.schedule ??= await fixSchedule(measurement, baseline, candidate, warmup);
  const { size, pairs } = record.schedule;
  const { halves } = pairs[pair] as PairPrompts;
  const quads: number[][] = [];
  record.times.push(quads);
  const tokens: HalfTokens[] = [];
  for (let q = 0; q < halves.length; q += 2) {
    const times: number[] = [];
    quads.push(times);
    const read = async (side: SideLane, half: number) => {
      const block = await generate(attempt, side, run, halves[half] as readonly number[], size.positions);
      times.push(Number(block.elapsedNs));
      return block.tokens;
    };
    const before = await read(baseline, q);
    const first = await read(candidate, q);
    const second = await read(candidate, q + 1);
    const after = await read(baseline, q + 1);
    tokens.push({ candidate: first, baseline: before }, { candidate: second, baseline: after });
  }
  return tokens;
}

/** Warm-up prompts of the first pair do not depend on the block size, which is not known yet. */
function firstWarmup({ context, run }: Measurement): readonly number[] {
  const { quads } = context.rules.speed;
  const { seed, pool, selected } = run;
  const [first] = pairPrompts({ seed, pool, selected, pairs: 1, quads, sequences: 1 });
  return (first as PairPrompts).warmup;
}

async function fixSchedule(
  { context, run, attempt }: Measurement,
  baseline: SideLane,
  candidate: SideLane,
  warmup: readonly number[],
): Promise<Schedule> {
  const calibration = { baseline_ns: [] as number[], candidate_ns: [] as number[] };
  for (const at of warmup.slice(-CALIBRATION_READS)) {
    calibration.baseline_ns.push(await calibrate(attempt, baseline, run, at));
    calibration.candidate_ns.push(await calibrate(attempt, candidate, run, at));
  }
  return scheduleOf(context, run, calibration);
}

function medianSoFar({ context, run, record }: Measurement): string {
  const tokens = quadTokens(run, record.schedule as Schedule);
  const ratios = record.times.map((quads, pair) =>
    pairRatio(context.rules.speed, quads as unknown as readonly QuadTimes[], tokens[pair] ?? [], pair),
  );
  return formatDouble17(fractionToDouble(medianFraction(ratios)));
}
