import { scaleByPowerOfTwo } from './power.ts';

/** A positive rational, not reduced; both parts are positive. */
export interface Fraction {
  readonly num: bigint;
  readonly den: bigint;
}

/** Negative, zero or positive as a is less than, equal to or greater than b; exact. */
export function compareFractions(a: Fraction, b: Fraction): number {
  const x = a.num * b.den;
  const y = b.num * a.den;
  return x < y ? -1 : x > y ? 1 : 0;
}

export function addFractions(a: Fraction, b: Fraction): Fraction {
  return { num: a.num * b.den + b.num * a.den, den: a.den * b.den };
}

export function divideFractions(a: Fraction, b: Fraction): Fraction {
  return { num: a.num * b.den, den: a.den * b.num };
}

/** The median of a non-empty list; the mean of the middle two if their number is even. Exact. */
export function medianFraction(values: readonly Fraction[]): Fraction {
  const sorted = [...values].sort(compareFractions);
  const upper = sorted[sorted.length >> 1] as Fraction;
  if (sorted.length % 2 === 1) return upper;
  const sum = addFractions(sorted[(sorted.length >> 1) - 1] as Fraction, upper);
  return { num: sum.num, den: sum.den * 2n };
}

/** Bits of the significand of an IEEE double. */
const SIGNIFICAND_BITS = 53;

/**
 * The double nearest to a positive fraction, ties to even, for values of the normal range. Speedups are near 1, so
 * subnormal and overflowing values are refused by the caller.
 */
export function fractionToDouble(value: Fraction): number {
  let shift = bitLength(value.num) - bitLength(value.den) - SIGNIFICAND_BITS;
  let scaled = scaleDown(value, shift);
  if (bitLength(scaled.quotient) > SIGNIFICAND_BITS) scaled = scaleDown(value, ++shift);
  const twice = scaled.remainder * 2n;
  const up = twice > scaled.divisor || (twice === scaled.divisor && scaled.quotient % 2n === 1n);
  return scaleByPowerOfTwo(Number(scaled.quotient + (up ? 1n : 0n)), shift);
}

/** floor(value / 2^shift) with what is left. */
function scaleDown(value: Fraction, shift: number): { quotient: bigint; remainder: bigint; divisor: bigint } {
  const dividend = shift < 0 ? value.num << BigInt(-shift) : value.num;
  const divisor = shift > 0 ? value.den << BigInt(shift) : value.den;
  return { quotient: dividend / divisor, remainder: dividend % divisor, divisor };
}

function bitLength(value: bigint): number {
  return value.toString(2).length;
}
