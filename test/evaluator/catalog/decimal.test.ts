import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normalizeDecimal } from '../../../evaluator/catalog/decimal.ts';
import { CatalogError } from '../../../evaluator/catalog/index.ts';

const CASES: readonly [string, string][] = [
  ['0', '0'],
  ['-0.0', '0'],
  ['+1', '1'],
  ['007.50', '7.5'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['1E-3', '0.001'],
  ['2e-2', '0.02'],
  ['1.50e3', '1500'],
  ['123e1', '1230'],
  ['-12.5e-4', '-0.00125'],
  ['0e9', '0'],
];

test('decimals in normal form', () => {
  for (const [written, normal] of CASES) assert.equal(normalizeDecimal(written, 'x'), normal, written);
});

test('what is no finite decimal is refused', () => {
  for (const bad of [
    '',
    '.',
    'e1',
    'NaN',
    'Infinity',
    '1_000',
    ' 1',
    '1e',
    '1e99999',
    '0x1',
    '1'.repeat(65),
    1,
    null,
  ]) {
    assert.throws(() => normalizeDecimal(bad, 'x'), CatalogError, String(bad));
  }
});

test('the normal form is stable and exact', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 30 }), (units, scale) => {
      const normal = normalizeDecimal(`${units}e-${scale}`, 'x');
      assert.equal(normalizeDecimal(normal, 'x'), normal);
      const [whole = '', fraction = ''] = normal.replace('-', '').split('.');
      const magnitude = units < 0n ? -units : units;
      assert.equal(BigInt(`${whole}${fraction}`) * 10n ** BigInt(scale - fraction.length), magnitude);
    }),
  );
});
