import { compareDecimals, type Decimal, decimalToPpm, parseDecimal } from '../identity/index.ts';
import { SpeedError } from './errors.ts';
import { formatDouble17 } from './format.ts';
import {
  addFractions,
  compareFractions,
  divideFractions,
  type Fraction,
  fractionToDouble,
  medianFraction,
} from './fraction.ts';
import type { SpeedPolicy } from './policy.ts';

/** Host-timed nanoseconds of the four blocks of one quad, in the order they ran: B, C, C, B'. */
export type QuadTimes = readonly [number, number, number, number];

/** Decoded tokens of the two halves of a quad: of B and the first C, and of the second C and B'. */
export type QuadTokens = readonly [number, number];

export interface SpeedVerdict {
  readonly result: 'PASS' | 'FAIL' | 'NO_DECISION';
  /** Reasons of `names.md`; null for PASS. */
  readonly reason: 'too_slow' | 'inconclusive' | null;
  /** The settled speedup, capped; null unless PASS. */
  readonly speedup: string | null;
  /** The median ratio as '.17g' made canonical, for display, whatever the result. */
  readonly median: string;
}

/** The least speedup a PASS may have (`peer-protocol.md` section 9). */
const LEAST_SPEEDUP_PPM = 1_000_001n;
/** Blocks of the longest run stay far below this; it keeps sums exact. Nanoseconds. */
const MAX_BLOCK_NS = 2 ** 50;

/**
 * Grades raw block times under paired-preview.v9 (`names.md`). All comparisons are exact: the ratio of a quad is the
 * sum of the two rates of C over the sum of the two rates of B; a pair's ratio is the median of its quads'.
 * `block_ms_min` sizes the blocks beforehand (select, blockSize) and decides nothing afterwards: a machine that gets
 * faster in the middle shortens the blocks of both sides.
 * @param times one list of quads per pair
 * @param tokens decoded tokens, of the same shape
 * @param maxSpeedupPpm a higher median is reported as this
 * @throws SpeedError BLOCKS_INVALID
 */
export function gradePaired(
  policy: SpeedPolicy,
  times: readonly (readonly QuadTimes[])[],
  tokens: readonly (readonly QuadTokens[])[],
  maxSpeedupPpm: number,
): SpeedVerdict {
  if (times.length !== policy.pairs || tokens.length !== policy.pairs) throw new SpeedError('BLOCKS_INVALID');
  const ratios = times.map((quads, pair) => pairRatio(policy, quads, tokens[pair] ?? [], pair));
  const median = medianFraction(ratios);
  const text = formatDouble17(fractionToDouble(median));
  const bar = { num: 1_000_000n + BigInt(policy.margin_ppm), den: 1_000_000n };
  if (compareFractions(median, bar) <= 0) return { result: 'FAIL', reason: 'too_slow', speedup: null, median: text };
  const above = ratios.filter((ratio) => compareFractions(ratio, bar) > 0).length;
  const enough = above >= pairsNeeded(policy.pairs);
  const speedup = enough ? settledSpeedup(text, maxSpeedupPpm) : null;
  if (speedup === null) return { result: 'NO_DECISION', reason: 'inconclusive', speedup, median: text };
  return { result: 'PASS', reason: null, speedup, median: text };
}

/** 4 of 5, and the same share of another number of pairs, rounded up. */
export function pairsNeeded(pairs: number): number {
  return Math.ceil((pairs * 4) / 5);
}

/** The exact ratio of one pair, for progress displays. @throws SpeedError BLOCKS_INVALID */
export function pairRatio(
  policy: SpeedPolicy,
  quads: readonly QuadTimes[],
  tokens: readonly QuadTokens[],
  pair = 0,
): Fraction {
  const field = `pairs[${pair}]`;
  if (quads.length !== policy.quads || tokens.length !== policy.quads) {
    throw new SpeedError('BLOCKS_INVALID', 'another number of quads', { field });
  }
  return medianFraction(quads.map((times, i) => quadRatio(times, tokens[i] as QuadTokens, `${field}.quads[${i}]`)));
}

function quadRatio(times: QuadTimes, tokens: QuadTokens, field: string): Fraction {
  const ns = times.map((t) => wholeNumber(t, MAX_BLOCK_NS, field));
  const first = wholeNumber(tokens[0], Number.MAX_SAFE_INTEGER, field);
  const second = wholeNumber(tokens[1], Number.MAX_SAFE_INTEGER, field);
  const [b, c, c2, b2] = ns as [bigint, bigint, bigint, bigint];
  const candidate = addFractions({ num: first, den: c }, { num: second, den: c2 });
  const baseline = addFractions({ num: first, den: b }, { num: second, den: b2 });
  return divideFractions(candidate, baseline);
}

function wholeNumber(value: number, most: number, field: string): bigint {
  if (!Number.isSafeInteger(value) || value < 1 || value > most) {
    throw new SpeedError('BLOCKS_INVALID', undefined, { field });
  }
  return BigInt(value);
}

/** The speedup a PASS names, or null if it is below the least one. */
function settledSpeedup(text: string, maxSpeedupPpm: number): string | null {
  const value = parseDecimal(text) as Decimal;
  const cap: Decimal = { units: BigInt(maxSpeedupPpm), scale: 6 };
  const settled = compareDecimals(value, cap) > 0 ? cap : value;
  if (decimalToPpm(settled) < LEAST_SPEEDUP_PPM) return null;
  return settled === value ? text : ppmText(maxSpeedupPpm);
}

/** ppm / 10^6 as a canonical decimal. */
export function ppmText(ppm: number): string {
  const digits = String(ppm).padStart(7, '0');
  const fraction = digits.slice(-6).replace(/0+$/, '');
  const whole = digits.slice(0, -6);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
