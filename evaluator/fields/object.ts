import { isHexDigest, ZERO_DIGEST } from '../identity/index.ts';
import { FieldError, type FieldErrorCode } from './errors.ts';

/** An exact integer as parsed: a number while it is safe, a bigint beyond 2^53. Comparison operators mix freely. */
export type Integer = number | bigint;

/** True for a JSON object of any prototype; arrays are not objects here. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A digest that is not all zero, outside an object.
 * @throws FieldError FIELD_DIGEST, FIELD_ZERO_DIGEST
 */
export function requireDigest(value: unknown, field: string): string {
  if (!isHexDigest(value)) throw new FieldError('FIELD_DIGEST', undefined, { field });
  if (value === ZERO_DIGEST) throw new FieldError('FIELD_ZERO_DIGEST', undefined, { field });
  return value;
}

/**
 * Reads the fields of one closed JSON object. Construction fails unless the keys are exactly the required ones and,
 * at most, the optional ones; each reading method checks one field and names it in its error.
 */
export class ObjectReader {
  readonly #object: Record<string, unknown>;
  readonly #at: string;

  /**
   * @param value the parsed JSON
   * @param at path of the object, for errors
   * @throws FieldError FIELD_NOT_OBJECT, FIELD_MISSING, FIELD_UNKNOWN
   */
  constructor(value: unknown, at: string, required: readonly string[], optional: readonly string[] = []) {
    if (!isObject(value)) throw new FieldError('FIELD_NOT_OBJECT', undefined, { field: at });
    this.#object = value;
    this.#at = at;
    for (const key of required) if (!Object.hasOwn(value, key)) this.fail('FIELD_MISSING', key);
    const known = new Set([...required, ...optional]);
    for (const key of Object.keys(value)) if (!known.has(key)) this.fail('FIELD_UNKNOWN', key.slice(0, 80));
  }

  /** The path of a field, for errors of the caller's own checks. */
  at(key: string): string {
    return `${this.#at}.${key}`;
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#object, key);
  }

  raw(key: string): unknown {
    return this.#object[key];
  }

  /** A digest that is not all zero. */
  digest(key: string): string {
    return requireDigest(this.#object[key], this.at(key));
  }

  /** A digest; all zero is allowed. */
  hexDigest(key: string): string {
    const value = this.#object[key];
    if (!isHexDigest(value)) this.fail('FIELD_DIGEST', key);
    return value;
  }

  /** A safe integer within the bounds, both inclusive. */
  integer(key: string, min: number, max: number = Number.MAX_SAFE_INTEGER): number {
    const value = this.#object[key];
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min || value > max) {
      this.fail('FIELD_INTEGER', key, `not an integer from ${min} to ${max}`);
    }
    return value === 0 ? 0 : value;
  }

  /** An integer of any size, at least `min`. */
  wideInteger(key: string, min: number): Integer {
    const value = this.#object[key];
    const isInteger = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
    if (!isInteger || value < min) this.fail('FIELD_INTEGER', key, `not an integer of at least ${min}`);
    return value === 0 ? 0 : value;
  }

  text(key: string, grammar: RegExp): string {
    const value = this.#object[key];
    if (typeof value !== 'string' || !grammar.test(value)) this.fail('FIELD_TEXT', key);
    return value;
  }

  /** Exactly the given value, of the given type: `true` is not 1. */
  literal<const T extends string | number | boolean | null>(key: string, expected: T): T {
    if (this.#object[key] !== expected) this.fail('FIELD_VALUE', key, `not ${JSON.stringify(expected)}`);
    return expected;
  }

  oneOf<const T extends string>(key: string, allowed: readonly T[]): T {
    const value = this.#object[key];
    const found = allowed.find((item) => item === value);
    if (found === undefined) this.fail('FIELD_VALUE', key, `not one of ${allowed.join(', ')}`);
    return found;
  }

  object(key: string): Record<string, unknown> {
    const value = this.#object[key];
    if (!isObject(value)) this.fail('FIELD_NOT_OBJECT', key);
    return value;
  }

  array(key: string, min = 0, max = Number.MAX_SAFE_INTEGER): readonly unknown[] {
    const value = this.#object[key];
    if (!Array.isArray(value) || value.length < min || value.length > max) this.fail('FIELD_ARRAY', key);
    return value;
  }

  /** An array of strings of the given grammar. */
  texts(key: string, grammar: RegExp, min = 0, max = Number.MAX_SAFE_INTEGER): string[] {
    return this.array(key, min, max).map((item) => {
      if (typeof item !== 'string' || !grammar.test(item)) this.fail('FIELD_TEXT', key);
      return item;
    });
  }

  fail(code: FieldErrorCode, key: string, message?: string): never {
    throw new FieldError(code, message, { field: this.at(key) });
  }
}
