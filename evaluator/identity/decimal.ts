import { IdentityError } from './errors.ts';

/** An exact non-negative decimal: `units` / 10^`scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** Significant digits of a speedup (`protocol.md` section 7). */
export const SPEEDUP_MAX_DIGITS = 28;

const CANONICAL = /^(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?$/;

/** Reads a canonical plain decimal: no sign, exponent, leading or trailing zeros. Null if it is anything else. */
export function parseDecimal(text: string): Decimal | null {
  if (text.length > 400 || !CANONICAL.test(text)) return null;
  const [whole, fraction = ''] = text.split('.');
  return { units: BigInt(`${whole}${fraction}`), scale: fraction.length };
}

/** Negative, zero or positive as a is less than, equal to or greater than b; exact. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const x = a.units * 10n ** BigInt(b.scale);
  const y = b.units * 10n ** BigInt(a.scale);
  return x < y ? -1 : x > y ? 1 : 0;
}

/**
 * A speedup of `protocol.md` section 7: canonical plain decimal, greater than 1, at most 28 significant digits.
 * @throws IdentityError VALUE_NOT_CANONICAL
 */
export function parseSpeedup(text: string): Decimal {
  const value = parseDecimal(text);
  if (value === null || compareDecimals(value, { units: 1n, scale: 0 }) <= 0) {
    throw new IdentityError('VALUE_NOT_CANONICAL', 'not a canonical decimal above 1', { field: 'speedup' });
  }
  if (value.units.toString().replace(/0+$/, '').length > SPEEDUP_MAX_DIGITS) {
    throw new IdentityError('VALUE_NOT_CANONICAL', 'more than 28 significant digits', { field: 'speedup' });
  }
  return value;
}

/** floor(speedup x 10^6), the unit of economics. */
export function decimalToPpm(value: Decimal): bigint {
  return (value.units * 1_000_000n) / 10n ** BigInt(value.scale);
}

/** True if a >= b x (1 + ppm / 10^6), compared exactly (settlement-order.v2). */
export function leadsBy(a: Decimal, b: Decimal, ppm: number): boolean {
  const x = a.units * 1_000_000n * 10n ** BigInt(b.scale);
  const y = b.units * (1_000_000n + BigInt(ppm)) * 10n ** BigInt(a.scale);
  return x >= y;
}
