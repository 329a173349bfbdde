import { DECIMAL_MAX_EXPONENT, DECIMAL_MAX_LENGTH } from './constants.ts';
import { CatalogError } from './errors.ts';

const WRITTEN = /^([+-]?)([0-9]+)?(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,4}))?$/;

/**
 * Normal form of a decimal of a contract: plain notation, no leading or trailing zeros, zero is "0"
 * (`protocol.md` section 5). Exact: nothing is rounded.
 * @throws CatalogError CATALOG_DECIMAL for text that is no finite decimal, or one out of bounds
 */
export function normalizeDecimal(value: unknown, field: string): string {
  const match = typeof value === 'string' && value.length <= DECIMAL_MAX_LENGTH ? WRITTEN.exec(value) : null;
  if (match === null) throw new CatalogError('CATALOG_DECIMAL', undefined, { field });
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (whole.length + fraction.length === 0 || Math.abs(exponent) > DECIMAL_MAX_EXPONENT) {
    throw new CatalogError('CATALOG_DECIMAL', undefined, { field });
  }
  const digits = shift(whole, fraction, exponent);
  return digits === '0' ? '0' : `${sign === '-' ? '-' : ''}${digits}`;
}

/** Moves the point by `exponent` places and strips zeros. */
function shift(whole: string, fraction: string, exponent: number): string {
  const point = whole.length + exponent;
  const padded = `${'0'.repeat(Math.max(0, -point))}${whole}${fraction}`.padEnd(point, '0');
  const at = Math.max(0, point);
  const integer = padded.slice(0, at).replace(/^0+/, '');
  const rest = padded.slice(at).replace(/0+$/, '');
  return `${integer === '' ? '0' : integer}${rest === '' ? '' : `.${rest}`}`;
}
