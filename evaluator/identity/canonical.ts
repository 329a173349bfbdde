import { IdentityError, type IdentityErrorCode } from './errors.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { JSON_MAX_BYTES, JSON_MAX_DEPTH, JSON_MAX_INTEGER_DIGITS } from './limits.ts';
import { compareCodePoints } from './order.ts';

const NEEDS_ESCAPE = /["\\\u0000-\u001f]/;
const ESCAPED = /["\\\u0000-\u001f]/g;
const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
};
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Canonical JSON text: no white space, keys in code-point order, non-ASCII literal, integers in plain decimal.
 * (`protocol.md` section 1.)
 * @throws IdentityError for fractions, unsafe numbers, other types, lone surrogates and what exceeds the limits
 */
export function canonicalJson(value: unknown): string {
  const text = write(value, 0, '$');
  if (text.length > JSON_MAX_BYTES || Buffer.byteLength(text) > JSON_MAX_BYTES) {
    throw new IdentityError('JSON_TOO_LONG');
  }
  return text;
}

/** The UTF-8 bytes of {@link canonicalJson}. */
export function canonicalBytes(value: unknown): Uint8Array {
  return Buffer.from(canonicalJson(value), 'utf8');
}

function write(value: unknown, depth: number, at: string): string {
  switch (typeof value) {
    case 'string':
      return writeString(value, at);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      if (!Number.isSafeInteger(value)) fail(Number.isInteger(value) ? 'VALUE_NOT_CANONICAL' : 'JSON_FLOAT', at);
      return value === 0 ? '0' : String(value);
    case 'bigint':
      return writeBigInt(value, at);
    case 'object':
      if (value === null) return 'null';
      if (depth >= JSON_MAX_DEPTH) fail('JSON_TOO_DEEP', at);
      if (Array.isArray(value)) return `[${Array.from(value, (v, i) => write(v, depth + 1, `${at}[${i}]`)).join(',')}]`;
      return writeObject(value, depth, at);
    default:
      return fail('VALUE_NOT_CANONICAL', at);
  }
}

function writeObject(value: object, depth: number, at: string): string {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) fail('VALUE_NOT_CANONICAL', at);
  const keys = Object.keys(value).sort(compareCodePoints);
  const rows = keys.map((key) => {
    const member = (value as Record<string, unknown>)[key];
    return `${writeString(key, at)}:${write(member, depth + 1, `${at}.${key}`)}`;
  });
  return `{${rows.join(',')}}`;
}

function writeString(value: string, at: string): string {
  if (LONE_SURROGATE.test(value)) fail('JSON_SURROGATE', at);
  if (!NEEDS_ESCAPE.test(value)) return `"${value}"`;
  return `"${value.replace(ESCAPED, (c) => SHORT[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
}

/** A bigint of so many bits surely has too many digits; checked before the quadratic conversion to decimal. */
const MAX_INTEGER_BITS = Math.ceil(JSON_MAX_INTEGER_DIGITS * Math.log2(10)) + 1;

function writeBigInt(value: bigint, at: string): string {
  if (BigInt.asIntN(MAX_INTEGER_BITS + 1, value) !== value) fail('JSON_INTEGER_TOO_LONG', at);
  const text = value.toString();
  if (text.replace('-', '').length > JSON_MAX_INTEGER_DIGITS) fail('JSON_INTEGER_TOO_LONG', at);
  return text;
}

function fail(code: IdentityErrorCode, field: string): never {
  throw new IdentityError(code, undefined, { field: field.slice(0, 200) });
}

/** True if two values have the same canonical form. */
export function canonicallyEqual(a: JsonValue | JsonObject, b: JsonValue | JsonObject): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
