import { SelectError } from './errors.ts';
import {
  BLOCK_HEADROOM_PERCENT,
  BLOCK_MAX_SEQUENCES,
  CALIBRATION_POSITIONS,
  CALIBRATION_READS,
  MIN_DECODE_TOKENS,
  SEQUENCE_MAX_POSITIONS,
  SEQUENCE_MIN_POSITIONS,
  WARMUP_PROMPTS,
} from './limits.ts';
import type { PromptPool } from './prompts.ts';
import { SeedStream } from './stream.ts';

/** Nanoseconds of each calibration read of {@link CALIBRATION_POSITIONS} positions, in the order they were taken. */
export interface Calibration {
  readonly baseline_ns: readonly number[];
  readonly candidate_ns: readonly number[];
}

/** How much work one timed block has: every sequence is prompt plus decoded tokens of exactly `positions`. */
export interface BlockSize {
  readonly sequences: number;
  readonly positions: number;
}

/** One sequence as a lane is asked for it. */
export interface TimedSequence {
  readonly prompt: readonly number[];
  /** Tokens to decode after the prompt. */
  readonly decode: number;
}

/** A prompt as the first tokens of a sequence of exactly `positions` positions. */
export function timedSequence(prompt: readonly number[], positions: number): TimedSequence {
  const kept = prompt.slice(0, positions - MIN_DECODE_TOKENS);
  return { prompt: kept, decode: positions - kept.length };
}

/** Indices into the prompt pool, for one pair of fresh processes. No index occurs twice. */
export interface PairPrompts {
  /** Warm-up, then calibration. */
  readonly warmup: readonly number[];
  /** Two halves a quad: the first for B and C, the second for C and B'. */
  readonly halves: readonly (readonly number[])[];
}

/** Sequences a block may have, so that one process never needs a prompt twice. */
export function mostSequences(promptCount: number, quads: number): number {
  return Math.min(BLOCK_MAX_SEQUENCES, Math.floor((promptCount - WARMUP_PROMPTS) / (quads * 2)));
}

/**
 * Sizes timed blocks so that the faster side needs block_ms_min with some headroom: from the lower of the two sides'
 * median calibration reads, so that one disturbed read, either way, sizes nothing.
 * @param most as from {@link mostSequences}
 * @throws SelectError CALIBRATION_INVALID
 */
export function blockSize(calibration: Calibration, blockMsMin: number, most: number): BlockSize {
  const reads = [...calibration.baseline_ns, ...calibration.candidate_ns];
  const complete =
    calibration.baseline_ns.length === CALIBRATION_READS && calibration.candidate_ns.length === CALIBRATION_READS;
  if (!complete || reads.some((ns) => !Number.isSafeInteger(ns) || ns < 1)) {
    throw new SelectError('CALIBRATION_INVALID');
  }
  const fastest = BigInt(Math.min(median(calibration.baseline_ns), median(calibration.candidate_ns)));
  const targetNs = BigInt(blockMsMin) * 10_000n * BigInt(BLOCK_HEADROOM_PERCENT);
  const positions = Number((targetNs * BigInt(CALIBRATION_POSITIONS) + fastest - 1n) / fastest);
  const sequences = Math.min(most, Math.ceil(positions / SEQUENCE_MAX_POSITIONS));
  const each = Math.ceil(positions / sequences);
  return { sequences, positions: Math.min(SEQUENCE_MAX_POSITIONS, Math.max(SEQUENCE_MIN_POSITIONS, each)) };
}

/** The middle one of an odd number of reads. */
function median(reads: readonly number[]): number {
  return [...reads].sort((a, b) => a - b)[reads.length >> 1] as number;
}

/**
 * The prompts of every pair. Each pair times all selected prompts, at places that differ from pair to pair, and fills
 * up from the pool: a kernel cannot tell by counting calls which of its answers will be graded.
 * @param selected digests chosen by selection v2
 * @throws SelectError POOL_TOO_SMALL
 */
export function pairPrompts(input: {
  readonly seed: string;
  readonly pool: PromptPool;
  readonly selected: readonly string[];
  readonly pairs: number;
  readonly quads: number;
  readonly sequences: number;
}): PairPrompts[] {
  const { seed, pool, pairs, quads, sequences } = input;
  const timed = quads * 2 * sequences;
  if (pool.length < timed + WARMUP_PROMPTS) throw new SelectError('POOL_TOO_SMALL');
  const wanted = new Set(input.selected);
  const chosen = pool.flatMap((prompt, i) => (wanted.has(prompt.digest) ? [i] : []));
  if (chosen.length > timed) throw new SelectError('POOL_TOO_SMALL', 'more selected prompts than timed sequences');
  const rest = pool.flatMap((prompt, i) => (wanted.has(prompt.digest) ? [] : [i]));
  return Array.from({ length: pairs }, (_, pair) => {
    const stream = new SeedStream(seed, `cacheon.schedule.v1:${pair}`);
    const fill = stream.shuffled(rest);
    const warmup = fill.splice(0, WARMUP_PROMPTS);
    const order = stream.shuffled([...chosen, ...fill.slice(0, timed - chosen.length)]);
    const halves = Array.from({ length: quads * 2 }, (_h, half) =>
      order.slice(half * sequences, (half + 1) * sequences),
    );
    return { warmup, halves };
  });
}
