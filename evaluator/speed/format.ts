import { SpeedError } from './errors.ts';

/** Significant digits of Python's '.17g'. */
const DIGITS = 17;

/**
 * A positive double as '.17g' made canonical: 17 significant digits of its exact value, ties to even, plain notation,
 * trailing zeros removed (`names.md`, paired-preview.v9). 1.1 gives "1.1000000000000001".
 * @throws SpeedError NOT_FINITE for anything but a positive finite number
 */
export function formatDouble17(value: number): string {
  if (!Number.isFinite(value) || value <= 0) throw new SpeedError('NOT_FINITE');
  const exact = exactDecimal(value);
  const all = exact.units.toString();
  const drop = all.length - DIGITS;
  if (drop <= 0) return plain(exact.units, exact.scale);
  const unit = 10n ** BigInt(drop);
  const rest = exact.units % unit;
  let kept = exact.units / unit;
  if (rest * 2n > unit || (rest * 2n === unit && kept % 2n === 1n)) kept += 1n;
  return plain(kept, exact.scale - drop);
}

/** Every double is units / 10^scale exactly: m / 2^k = m x 5^k / 10^k. */
function exactDecimal(value: number): { units: bigint; scale: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const field = Number(bits >> 52n);
  const fraction = bits & 0xfffffffffffffn;
  const significand = field === 0 ? fraction : fraction | 0x10000000000000n;
  const exponent = Math.max(field, 1) - 1075;
  if (exponent >= 0) return { units: significand << BigInt(exponent), scale: 0 };
  return { units: significand * 5n ** BigInt(-exponent), scale: -exponent };
}

/** units / 10^scale in plain notation without trailing zeros; scale may be negative. */
function plain(units: bigint, scale: number): string {
  if (scale <= 0) return (units * 10n ** BigInt(-scale)).toString();
  const text = units.toString().padStart(scale + 1, '0');
  const fraction = text.slice(-scale).replace(/0+$/, '');
  const whole = text.slice(0, -scale);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
