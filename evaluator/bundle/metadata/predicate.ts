import { canonicalJson, compareCodePoints } from '../../identity/index.ts';
import { BundleError } from '../errors.ts';
import { canonicalValue, NUMERIC_FIELDS } from './values.ts';

export type Scalar = number | string;

/** A set of values or a range of integers; as the projection writes it. */
export type Predicate =
  | { readonly exact: Scalar }
  | { readonly one_of: readonly Scalar[] }
  | { readonly min?: number; readonly max?: number };

/**
 * Reads one predicate of `capabilities`: a scalar (exact), an array (one_of) or a closed object with exact, one_of,
 * or min and/or max, never mixed. (`bundle-format.md` section 5)
 */
export function readPredicate(field: string, value: unknown, at: string): Predicate {
  if (Array.isArray(value)) return valueSet(field, value, at);
  if (typeof value !== 'object' || value === null) return valueSet(field, [value], at);
  const keys = Object.keys(value).sort(compareCodePoints);
  const members = value as Record<string, unknown>;
  if (keys.length === 1 && keys[0] === 'exact') return valueSet(field, [members['exact']], at);
  if (keys.length === 1 && keys[0] === 'one_of' && Array.isArray(members['one_of'])) {
    return valueSet(field, members['one_of'], at);
  }
  if (keys.length === 0 || keys.some((key) => key !== 'min' && key !== 'max')) {
    throw new BundleError('METADATA_FIELD', 'one of exact, one_of, or min and max', { field: at });
  }
  if (!NUMERIC_FIELDS.has(field)) throw new BundleError('METADATA_FIELD', 'has no min or max', { field: at });
  const min = keys.includes('min') ? natural(members['min'], `${at}.min`) : null;
  const max = keys.includes('max') ? natural(members['max'], `${at}.max`) : null;
  if (min !== null && max !== null && min > max) throw new BundleError('METADATA_FIELD', 'min over max', { field: at });
  return { ...(min === null ? {} : { min }), ...(max === null ? {} : { max }) };
}

/** An integer >= 0. */
export function natural(value: unknown, at: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new BundleError('METADATA_FIELD', 'an integer >= 0', { field: at });
  }
  return value;
}

function valueSet(field: string, values: readonly unknown[], at: string): Predicate {
  const scalars = values.map((value) => scalar(field, value, at));
  const unique = new Map(scalars.map((value) => [canonicalJson(value), value]));
  const sorted = [...unique].sort(([a], [b]) => compareCodePoints(a, b)).map(([, value]) => value);
  if (sorted[0] === undefined) throw new BundleError('METADATA_FIELD', 'an empty set of values', { field: at });
  return sorted.length === 1 ? { exact: sorted[0] } : { one_of: sorted };
}

function scalar(field: string, value: unknown, at: string): Scalar {
  if (NUMERIC_FIELDS.has(field)) return natural(value, at);
  if (typeof value !== 'string' || value.trim() === '') {
    throw new BundleError('METADATA_FIELD', 'a non-empty string', { field: at });
  }
  return canonicalValue(field, value);
}
