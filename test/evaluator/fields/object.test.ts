import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  FieldError,
  type FieldErrorCode,
  isSortedSet,
  isSpacelessName,
  isTrimmedName,
  ObjectReader,
  sortedSet,
} from '../../../evaluator/fields/index.ts';
import { ZERO_DIGEST } from '../../../evaluator/identity/index.ts';

const refused = (code: FieldErrorCode, field: string) => (error: unknown) =>
  error instanceof FieldError && error.code === code && error.field === field;
const reader = (value: unknown) => new ObjectReader({ a: value }, 'object', ['a']);

describe('ObjectReader', () => {
  test('is closed both ways and knows optional keys', () => {
    assert.throws(() => new ObjectReader({}, 'o', ['a']), refused('FIELD_MISSING', 'o.a'));
    assert.throws(() => new ObjectReader({ a: 1, b: 2 }, 'o', ['a']), refused('FIELD_UNKNOWN', 'o.b'));
    assert.throws(() => new ObjectReader({}, 'o', ['toString']), refused('FIELD_MISSING', 'o.toString'));
    assert.equal(new ObjectReader({ b: 1 }, 'o', [], ['a', 'b']).has('a'), false);
    for (const value of [null, [], 'x', 1]) {
      assert.throws(() => new ObjectReader(value, 'o', []), refused('FIELD_NOT_OBJECT', 'o'));
    }
  });

  test('digests are 64 lowercase hex digits, not all zero', () => {
    assert.throws(() => reader('A'.repeat(64)).digest('a'), refused('FIELD_DIGEST', 'object.a'));
    assert.throws(() => reader(`${'a'.repeat(64)}\n`).digest('a'), refused('FIELD_DIGEST', 'object.a'));
    assert.throws(() => reader(ZERO_DIGEST).digest('a'), refused('FIELD_ZERO_DIGEST', 'object.a'));
    assert.equal(reader(ZERO_DIGEST).hexDigest('a'), ZERO_DIGEST);
  });

  test('integers are exact: no booleans, fractions or texts', () => {
    for (const value of [true, 1.5, '1', null, Number.NaN, 2 ** 53]) {
      assert.throws(() => reader(value).integer('a', 0), refused('FIELD_INTEGER', 'object.a'));
      assert.throws(() => reader(value).wideInteger('a', 0), refused('FIELD_INTEGER', 'object.a'));
    }
    assert.throws(() => reader(4).integer('a', 5), refused('FIELD_INTEGER', 'object.a'));
    assert.throws(() => reader(6).integer('a', 0, 5), refused('FIELD_INTEGER', 'object.a'));
    assert.equal(reader(2n ** 60n).wideInteger('a', 0), 2n ** 60n);
    assert.ok(Object.is(reader(-0).integer('a', 0), 0));
  });

  test('literals do not convert', () => {
    assert.throws(() => reader(true).literal('a', 1), refused('FIELD_VALUE', 'object.a'));
    assert.throws(() => reader('1').oneOf('a', ['x', 'y']), refused('FIELD_VALUE', 'object.a'));
  });
});

describe('names', () => {
  test('count code points and know what white space is', () => {
    assert.ok(isTrimmedName('\u{10000}'.repeat(256)));
    assert.ok(!isTrimmedName('x'.repeat(257)));
    assert.ok(isTrimmedName('two words'));
    assert.ok(!isSpacelessName('two words'));
    assert.ok(!isTrimmedName('x\u001c'));
    assert.ok(isTrimmedName('\ufeffx'));
  });

  test('sets sort by code point', () => {
    assert.deepEqual(sortedSet(['\u{10000}', '\uffff', '\uffff']), ['\uffff', '\u{10000}']);
    assert.ok(isSortedSet(['\uffff', '\u{10000}']));
    assert.ok(!isSortedSet(['a', 'a']));
  });
});
