import { SeedStream } from '../select/index.ts';
import type { Run } from './context.ts';
import { type Schedule, sequenceOf } from './schedule.ts';
import { sameTokens, type Tokens, type Trajectory } from './trajectory.ts';

/** Sequences graded beside the selected ones because candidate and baseline decoded different tokens. */
export const MAX_DIVERGENT = 64;

/** A candidate's sequence that the pristine reference grades. */
export interface GradedSequence {
  /** Digest of the prompt in the pool. */
  readonly digest: string;
  /** Its tokens as the lane was given them. */
  readonly prompt: readonly number[];
  readonly tokens: Tokens;
}

/**
 * True if the candidate decoded the same tokens from the same prompt wherever it occurred. Modules have no entropy and
 * no clock, so anything else means that a result did not depend on its arguments alone (`names.md`, WASM slots).
 */
export function isConsistent(schedule: Schedule, trajectory: Trajectory): boolean {
  const seen = new Map<number, Tokens>();
  for (const { at, candidate } of sequences(schedule, trajectory)) {
    const before = seen.get(at);
    if (before !== undefined && !sameTokens(before, candidate)) return false;
    seen.set(at, candidate);
  }
  return true;
}

/**
 * What T grades: the selected prompts, then every sequence where the candidate differs from the baseline, at most
 * {@link MAX_DIVERGENT} of them in an order of the seed. Each prompt once: consistency is checked before.
 */
export function gradedSequences(run: Run, schedule: Schedule, trajectory: Trajectory): GradedSequence[] {
  const selected = new Set(run.selected);
  const graded = new Map<number, Tokens>();
  const divergent = new Map<number, Tokens>();
  for (const { at, candidate, baseline } of sequences(schedule, trajectory)) {
    if (selected.has(run.pool[at]?.digest ?? '')) graded.set(at, candidate);
    else if (!sameTokens(candidate, baseline)) divergent.set(at, candidate);
  }
  const order = new SeedStream(run.seed, 'cacheon.divergent.v1').shuffled([...divergent.keys()].sort((a, b) => a - b));
  const chosen = [...graded.keys()].sort((a, b) => a - b).concat(order.slice(0, MAX_DIVERGENT));
  return chosen.map((at) => ({
    digest: run.pool[at]?.digest ?? '',
    prompt: sequenceOf(run, at, schedule.size.positions).prompt,
    tokens: (graded.get(at) ?? divergent.get(at)) as Tokens,
  }));
}

function* sequences(
  schedule: Schedule,
  trajectory: Trajectory,
): Generator<{ at: number; candidate: Tokens; baseline: Tokens }> {
  for (const [p, halves] of trajectory.entries()) {
    for (const [h, half] of halves.entries()) {
      for (const [i, candidate] of half.candidate.entries()) {
        const at = schedule.pairs[p]?.halves[h]?.[i] as number;
        yield { at, candidate, baseline: half.baseline[i] as Tokens };
      }
    }
  }
}
