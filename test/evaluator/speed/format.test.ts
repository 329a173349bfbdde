import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseDecimal } from '../../../evaluator/identity/index.ts';
import { formatDouble17, fractionToDouble } from '../../../evaluator/speed/index.ts';

test("Python's '.17g' made canonical", () => {
  for (const [value, text] of [
    [1.1, '1.1000000000000001'],
    [1.005, '1.0049999999999999'],
    [2, '2'],
    [1.062, '1.0620000000000001'],
    [0.5, '0.5'],
    [1.3392857142857142, '1.3392857142857142'],
    [0.00099950024987506244, '0.00099950024987506244'],
    [1e-7, '0.000000099999999999999995'],
    [123456789012345680000, '123456789012345680000'],
    [5e-324, `0.${'0'.repeat(323)}49406564584124654`],
  ] as const) {
    assert.equal(formatDouble17(value), text);
  }
  for (const value of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => formatDouble17(value), { code: 'NOT_FINITE' });
  }
});

test('17 digits read back as the same double, canonical, and no more than 17 of them', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e6, noNaN: true, minExcluded: true }), (value) => {
      const text = formatDouble17(value);
      assert.equal(Number(text), value);
      assert.notEqual(parseDecimal(text), null);
      assert.ok(text.replace('.', '').replace(/^0+/, '').length <= 17);
      assert.equal(Number(value.toPrecision(17)), value);
    }),
  );
});

test('a fraction becomes the nearest double, ties to even', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 52 }), fc.integer({ min: 1, max: 2 ** 52 }), (num, den) => {
      assert.equal(fractionToDouble({ num: BigInt(num), den: BigInt(den) }), num / den);
    }),
  );
  const even = 2n ** 53n;
  assert.equal(fractionToDouble({ num: even + 1n, den: 1n }), Number(even));
  assert.equal(fractionToDouble({ num: even + 3n, den: 1n }), Number(even + 4n));
  assert.equal(fractionToDouble({ num: (even + 1n) * 10n ** 40n + 1n, den: 10n ** 40n }), Number(even + 2n));
});
