import { IdentityError, type IdentityErrorCode } from './errors.ts';
import { JSON_MAX_BYTES, JSON_MAX_DEPTH, JSON_MAX_INTEGER_DIGITS } from './limits.ts';

/**
 * What canonical JSON can carry. Integers are numbers while they are safe and bigints beyond that; both spell the
 * same identity. Parsed objects have no prototype, so a key such as `__proto__` is only a key.
 */
export type JsonValue = null | boolean | string | number | bigint | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const SPACE = /[ \t\n\r]*/y;
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Reads JSON strictly: duplicate keys, fractions, exponents, lone surrogates and anything after the value are
 * refused. Sizes are bounded before parsing.
 * @param input text, or its UTF-8 bytes
 * @param maxBytes limit on the UTF-8 length, at most 8 MiB
 * @throws IdentityError with the offset of what was refused
 */
export function parseStrictJson(input: string | Uint8Array, maxBytes: number = JSON_MAX_BYTES): JsonValue {
  const text = typeof input === 'string' ? input : decodeUtf8(input, maxBytes);
  if (text.length > maxBytes || (typeof input === 'string' && Buffer.byteLength(text) > maxBytes)) {
    throw new IdentityError('JSON_TOO_LONG', `JSON text over ${maxBytes} bytes`);
  }
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

function decodeUtf8(bytes: Uint8Array, maxBytes: number): string {
  if (bytes.length > maxBytes) throw new IdentityError('JSON_TOO_LONG', `JSON text over ${maxBytes} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new IdentityError('JSON_UTF8', undefined, { cause });
  }
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): JsonValue {
    this.#space();
    const c = this.#text[this.#at];
    if (c === '{') return this.#object(depth);
    if (c === '[') return this.#array(depth);
    if (c === '"') return this.#string();
    if (c === 't') return this.#word('true', true);
    if (c === 'f') return this.#word('false', false);
    if (c === 'n') return this.#word('null', null);
    return this.#integer();
  }

  end(): void {
    this.#space();
    if (this.#at !== this.#text.length) this.#fail('JSON_MALFORMED', 'text after the value');
  }

  #object(depth: number): JsonObject {
    this.#descend(depth);
    const object = Object.create(null) as Record<string, JsonValue>;
    this.#at++;
    if (this.#next('}')) return object;
    do {
      this.#space();
      if (this.#text[this.#at] !== '"') this.#fail('JSON_MALFORMED', 'expected an object key');
      const key = this.#string();
      if (Object.hasOwn(object, key)) this.#fail('JSON_DUPLICATE_KEY');
      if (!this.#next(':')) this.#fail('JSON_MALFORMED', 'expected a colon');
      object[key] = this.value(depth + 1);
    } while (this.#next(','));
    if (!this.#next('}')) this.#fail('JSON_MALFORMED', 'expected a comma or a closing brace');
    return object;
  }

  #array(depth: number): JsonValue[] {
    this.#descend(depth);
    const array: JsonValue[] = [];
    this.#at++;
    if (this.#next(']')) return array;
    do array.push(this.value(depth + 1));
    while (this.#next(','));
    if (!this.#next(']')) this.#fail('JSON_MALFORMED', 'expected a comma or a closing bracket');
    return array;
  }

  #string(): string {
    this.#at++;
    let out = '';
    for (;;) {
      PLAIN.lastIndex = this.#at;
      PLAIN.test(this.#text);
      out += this.#text.slice(this.#at, PLAIN.lastIndex);
      this.#at = PLAIN.lastIndex;
      const c = this.#text[this.#at];
      if (c === '"') break;
      if (c !== '\\') this.#fail('JSON_MALFORMED', 'unterminated string or control character');
      out += this.#escape();
    }
    this.#at++;
    if (LONE_SURROGATE.test(out)) this.#fail('JSON_SURROGATE');
    return out;
  }

  #escape(): string {
    const c = this.#text[this.#at + 1] ?? '';
    if (c === 'u') {
      const hex = this.#text.slice(this.#at + 2, this.#at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(hex)) this.#fail('JSON_MALFORMED', 'bad \\u escape');
      this.#at += 6;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    const plain = ESCAPES[c];
    if (plain === undefined) this.#fail('JSON_MALFORMED', 'bad escape');
    this.#at += 2;
    return plain;
  }

  #integer(): number | bigint {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text);
    if (match === null) this.#fail('JSON_MALFORMED', 'expected a value');
    if (match[1] !== undefined || match[2] !== undefined) this.#fail('JSON_FLOAT');
    const digits = match[0];
    if (digits.replace('-', '').length > JSON_MAX_INTEGER_DIGITS) this.#fail('JSON_INTEGER_TOO_LONG');
    this.#at += digits.length;
    const number = Number(digits);
    if (!Number.isSafeInteger(number)) return BigInt(digits);
    return number === 0 ? 0 : number;
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#fail('JSON_MALFORMED', 'expected a value');
    this.#at += word.length;
    return value;
  }

  #next(c: string): boolean {
    this.#space();
    if (this.#text[this.#at] !== c) return false;
    this.#at++;
    return true;
  }

  #descend(depth: number): void {
    if (depth >= JSON_MAX_DEPTH) this.#fail('JSON_TOO_DEEP');
  }

  #space(): void {
    SPACE.lastIndex = this.#at;
    SPACE.test(this.#text);
    this.#at = SPACE.lastIndex;
  }

  #fail(code: IdentityErrorCode, message?: string): never {
    throw new IdentityError(code, message, { field: `offset ${this.#at}` });
  }
}
