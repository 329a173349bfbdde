import { type Run, sequenceOf } from '../../evaluator/evidence/index.ts';
import { CALIBRATION_POSITIONS, CALIBRATION_READS, VOCABULARY } from '../../evaluator/select/index.ts';
import type { BlockResult, Lane, Sequence } from '../lane/types.ts';
import { type Actor, type Attempt, fail, undecided } from './attempt.ts';
import { WARMUP_NS } from './limits.ts';

/** A lane of a pair, and whose modules it has. */
export interface SideLane {
  readonly actor: Actor;
  readonly lane: Lane;
}

/** Generates from prompts of the pool and checks that the host got the tokens it asked for. */
export async function generate(
  attempt: Attempt,
  side: SideLane,
  run: Run,
  prompts: readonly number[],
  positions: number,
): Promise<BlockResult> {
  const sequences: Sequence[] = prompts.map((at) => sequenceOf(run, at, positions));
  const block = await attempt.wait(side.actor, (signal) => side.lane.generate(sequences, signal));
  const complete =
    block.tokens.length === sequences.length &&
    block.tokens.every((tokens, i) => tokens.length === sequences[i]?.decode && tokens.every(isToken));
  if (complete) return block;
  const detail = 'a lane returned other tokens than it was asked for';
  throw side.actor === 'candidate' ? fail('crashed', detail) : undecided('infrastructure', detail);
}

/** Generates until the lane has worked for {@link WARMUP_NS}; the last prompts stay free for calibration. */
export async function warmUp(attempt: Attempt, side: SideLane, run: Run, prompts: readonly number[]): Promise<void> {
  let worked = 0n;
  for (const at of prompts.slice(0, -CALIBRATION_READS)) {
    if (worked >= WARMUP_NS) return;
    worked += (await generate(attempt, side, run, [at], CALIBRATION_POSITIONS)).elapsedNs;
  }
}

/** One calibration read: nanoseconds of one sequence. */
export async function calibrate(attempt: Attempt, side: SideLane, run: Run, at: number): Promise<number> {
  return Number((await generate(attempt, side, run, [at], CALIBRATION_POSITIONS)).elapsedNs);
}

function isToken(token: number): boolean {
  return Number.isInteger(token) && token >= 0 && token < VOCABULARY;
}
