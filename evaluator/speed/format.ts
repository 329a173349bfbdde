import { SpeedError } from './errors.ts';

/** Significant digits of Python's '.17g'. */
const DIGITS = 17;

/**
 * A positive double as '.17g' made canonical: 17 significant digits of its exact value, ties to even, plain notation,
 * trailing zeros removed (`names.md`, paired-preview.v9). 1.1 gives "1.1000000000000001".
 * @throws SpeedError NOT_FINITE for anything but a positive finite number
 */
export function formatDouble17(value: number): string {
  const { units, scale } = rounded17(value);
  return plain(units, scale);
}

/**
 * A finite double >= 0 exactly as Python's '.17g' spells it, with an exponent below 1e-4 and from 1e17 on: how the
 * digests of the resident policies name their floats (`protocol.md` section 12).
 * @throws SpeedError NOT_FINITE
 */
export function pythonFormat17(value: number): string {
  if (value === 0) return '0';
  const { units, scale } = rounded17(value);
  const digits = units.toString();
  const exponent = digits.length - 1 - scale;
  if (exponent >= -4 && exponent < DIGITS) return plain(units, scale);
  const fraction = digits.slice(1).replace(/0+$/, '');
  const sign = exponent < 0 ? '-' : '+';
  const power = String(Math.abs(exponent)).padStart(2, '0');
  return `${digits[0]}${fraction === '' ? '' : `.${fraction}`}e${sign}${power}`;
}

/** The value in at most 17 significant digits: units / 10^scale. */
function rounded17(value: number): { units: bigint; scale: number } {
  if (!Number.isFinite(value) || value <= 0) throw new SpeedError('NOT_FINITE');
  const exact = exactDecimal(value);
  const drop = exact.units.toString().length - DIGITS;
  if (drop <= 0) return exact;
  const unit = 10n ** BigInt(drop);
  const rest = exact.units % unit;
  let kept = exact.units / unit;
  if (rest * 2n > unit || (rest * 2n === unit && kept % 2n === 1n)) kept += 1n;
  return { units: kept, scale: exact.scale - drop };
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
