import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  canonicalBytes,
  canonicalDigest,
  canonicalJson,
  compareCodePoints,
  compareDecimals,
  contentHash,
  IdentityError,
  type JsonValue,
  leadsBy,
  parseDecimal,
  parseSpeedup,
  parseStrictJson,
} from '../../../evaluator/identity/index.ts';

const CASES = { numRuns: 10_000 };
const { value: jsonValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.bigInt(),
    fc.string({ unit: 'grapheme' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('__proto__', '10', '9')), tie('value'), {
      maxKeys: 5,
      noNullPrototype: false,
    }),
  ),
}));

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof IdentityError, `untyped: ${String(error)}`);
    return error.code;
  }
  return 'accepted';
}

test('canonical text reads back to the same canonical text', () => {
  fc.assert(
    fc.property(jsonValue, (value) => {
      const text = canonicalJson(value);
      assert.equal(canonicalJson(parseStrictJson(text)), text);
      assert.equal(canonicalJson(parseStrictJson(canonicalBytes(value))), text);
    }),
    CASES,
  );
});

test('the order of an object is no part of its identity', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.integer(), { noNullPrototype: true }), (object) => {
      const turned = Object.fromEntries(Object.entries(object).reverse());
      assert.equal(canonicalDigest('a', turned), canonicalDigest('a', { ...object }));
    }),
    CASES,
  );
});

test('no text makes an untyped exception', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
      codeOf(() => parseStrictJson(text));
      codeOf(() => parseStrictJson(Buffer.from(text)));
    }),
    CASES,
  );
});

test('limits: depth, digits, bytes, at the limit and one beyond', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  assert.equal(
    codeOf(() => parseStrictJson(nested(1024))),
    'accepted',
  );
  assert.equal(
    codeOf(() => parseStrictJson(nested(1025))),
    'JSON_TOO_DEEP',
  );
  assert.equal(
    codeOf(() => canonicalJson(parseStrictJson(nested(1024)))),
    'accepted',
  );
  assert.equal(
    codeOf(() => parseStrictJson('9'.repeat(4301))),
    'JSON_INTEGER_TOO_LONG',
  );
  assert.equal(
    codeOf(() => canonicalJson(10n ** 4300n)),
    'JSON_INTEGER_TOO_LONG',
  );
  assert.equal(
    codeOf(() => canonicalJson(-(10n ** 4300n - 1n))),
    'accepted',
  );
  assert.equal(
    codeOf(() => parseStrictJson('"aaa"', 4)),
    'JSON_TOO_LONG',
  );
  assert.equal(
    codeOf(() => parseStrictJson('"éé"', 5)),
    'JSON_TOO_LONG',
  );
  assert.equal(
    codeOf(() => parseStrictJson(Buffer.of(0x22, 0xff, 0x22))),
    'JSON_UTF8',
  );
  assert.equal(
    codeOf(() => parseStrictJson('\ufeff1')),
    'JSON_MALFORMED',
  );
});

test('values that no canonical JSON carries', () => {
  for (const value of [
    1.5,
    Number.NaN,
    2 ** 53,
    undefined,
    () => 1,
    Symbol('x'),
    new Date(0),
    new Map(),
    [undefined],
  ]) {
    assert.notEqual(
      codeOf(() => canonicalJson(value)),
      'accepted',
    );
  }
  assert.equal(canonicalJson({ a: -0 }), '{"a":0}');
  assert.equal(
    codeOf(() => canonicalJson('\ud800')),
    'JSON_SURROGATE',
  );
});

test('code point order is that of UTF-32, not of UTF-16', () => {
  const codePoints = (text: string): number[] => Array.from(text, (c) => c.codePointAt(0) as number);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      const [x, y] = [codePoints(a), codePoints(b)];
      const i = x.findIndex((point, at) => point !== y[at]);
      const want = i === -1 ? x.length - y.length : (x[i] as number) - (y[i] ?? -1);
      assert.equal(Math.sign(compareCodePoints(a, b)), Math.sign(want));
    }),
    CASES,
  );
});

test('the content hash does not see modes or order, but every path and byte', () => {
  const files = [
    { path: 'a/b', data: Buffer.from('1') },
    { path: 'a.b', data: Buffer.from('2') },
  ];
  assert.equal(contentHash(files), contentHash([...files].reverse()));
  assert.notEqual(contentHash(files), contentHash([{ path: 'a/b', data: Buffer.from('12') }]));
  assert.equal(
    codeOf(() => contentHash([...files, { path: 'a/b', data: Buffer.from('1') }])),
    'TREE_PATH',
  );
  assert.equal(
    codeOf(() => contentHash([{ path: '\ud800', data: Buffer.from('1') }])),
    'TREE_PATH',
  );
});

test('decimals are canonical or refused, and compared exactly', () => {
  for (const text of ['1.0', '01', '.5', '1.', '+1', '-1', '1e3', ' 1', '1.10', ''])
    assert.equal(parseDecimal(text), null);
  const decimal = (text: string): NonNullable<ReturnType<typeof parseDecimal>> => {
    const value = parseDecimal(text);
    assert.ok(value !== null);
    return value;
  };
  assert.ok(compareDecimals(decimal('1.00000000000000000001'), decimal('1')) > 0);
  assert.ok(leadsBy(decimal('1.02'), decimal('1'), 20_000));
  assert.ok(!leadsBy(decimal('1.0199999999999999999'), decimal('1'), 20_000));
  assert.equal(
    codeOf(() => parseSpeedup('1')),
    'VALUE_NOT_CANONICAL',
  );
  assert.equal(
    codeOf(() => parseSpeedup(`1.${'1'.repeat(28)}`)),
    'VALUE_NOT_CANONICAL',
  );
  assert.equal(
    codeOf(() => parseSpeedup(`1.${'1'.repeat(27)}`)),
    'accepted',
  );
});
