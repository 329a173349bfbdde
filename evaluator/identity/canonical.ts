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

/**
 * Canonical JSON text: no white space, keys in code-point order, non-ASCII literal, integers in plain decimal.
 * (`protocol.md` section 1.)
 * @throws IdentityError for fractions, unsafe numbers, other types, lone surrogates and what exceeds the limits
 */
export function canonicalJson(value: unknown): string {
  const text = write(value, []);
  if (text.length > JSON_MAX_BYTES || Buffer.byteLength(text) > JSON_MAX_BYTES) {
    throw new IdentityError('JSON_TOO_LONG');
  }
  return text;
}

/** The UTF-8 bytes of {@link canonicalJson}. */
export function canonicalBytes(value: unknown): Uint8Array {
  return Buffer.from(canonicalJson(value), 'utf8');
}

/** Keys and indices from the root to the value being written; spelled out only if something is refused. */
type Path = (string | number)[];

function write(value: unknown, path: Path): string {
  switch (typeof value) {
    case 'string':
      return writeString(value, path);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      if (!Number.isSafeInteger(value)) fail(Number.isInteger(value) ? 'VALUE_NOT_CANONICAL' : 'JSON_FLOAT', path);
      return value === 0 ? '0' : String(value);
    case 'bigint':
      return writeBigInt(value, path);
    case 'object':
      if (value === null) return 'null';
      if (path.length >= JSON_MAX_DEPTH) fail('JSON_TOO_DEEP', path);
      return Array.isArray(value) ? writeArray(value, path) : writeObject(value, path);
    default:
      return fail('VALUE_NOT_CANONICAL', path);
  }
}

function writeArray(value: readonly unknown[], path: Path): string {
  const members: string[] = [];
  for (let i = 0; i < value.length; i++) {
    path.push(i);
    members.push(write(value[i], path));
    path.pop();
  }
  return `[${members.join(',')}]`;
}

function writeObject(value: object, path: Path): string {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) fail('VALUE_NOT_CANONICAL', path);
  const keys = Object.keys(value).sort(compareCodePoints);
  const members = keys.map((key) => {
    path.push(key);
    const member = `${writeString(key, path)}:${write((value as Record<string, unknown>)[key], path)}`;
    path.pop();
    return member;
  });
  return `{${members.join(',')}}`;
}

function writeString(value: string, path: Path): string {
  if (!value.isWellFormed()) fail('JSON_SURROGATE', path);
  if (!NEEDS_ESCAPE.test(value)) return `"${value}"`;
  return `"${value.replace(ESCAPED, (c) => SHORT[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
}

/** A bigint of so many bits surely has too many digits; checked before the quadratic conversion to decimal. */
const MAX_INTEGER_BITS = Math.ceil(JSON_MAX_INTEGER_DIGITS * Math.log2(10)) + 1;

function writeBigInt(value: bigint, path: Path): string {
  if (BigInt.asIntN(MAX_INTEGER_BITS + 1, value) !== value) fail('JSON_INTEGER_TOO_LONG', path);
  const text = value.toString();
  if (text.replace('-', '').length > JSON_MAX_INTEGER_DIGITS) fail('JSON_INTEGER_TOO_LONG', path);
  return text;
}

function fail(code: IdentityErrorCode, path: Path): never {
  const field = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  throw new IdentityError(code, undefined, { field: `$${field}`.slice(0, 200) });
}

/** True if two values have the same canonical form. */
export function canonicallyEqual(a: JsonValue | JsonObject, b: JsonValue | JsonObject): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
