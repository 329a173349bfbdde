import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkVector, type WeightsVector } from '../../../chain/weights/index.ts';
import { weightVector } from '../../../evaluator/economics/index.ts';

test('vectors out of range are refused', () => {
  const bad: readonly WeightsVector[] = [
    { uids: [], values: [] },
    { uids: [0], values: [] },
    { uids: [0], values: [65_534] },
    { uids: [0, 0], values: [65_535, 1] },
    { uids: [1, 0], values: [65_535, 1] },
    { uids: [0, 1], values: [65_535, 0] },
    { uids: [0, 1], values: [65_535, 0.5] },
    { uids: [0], values: [65_536] },
    { uids: [-1], values: [65_535] },
    { uids: [65_536], values: [65_535] },
  ];
  for (const vector of bad)
    assert.throws(() => checkVector(vector), { code: 'WEIGHTS_VECTOR' }, JSON.stringify(vector));
});

test('what projection makes of any shares is a vector that the chain stores unchanged', () => {
  const shares = fc.uniqueArray(fc.record({ uid: fc.nat(255), ppm: fc.bigInt({ min: 1n, max: 1_000_000n }) }), {
    minLength: 1,
    maxLength: 64,
    selector: (row) => row.uid,
  });
  const members = Array.from({ length: 256 }, (_, uid) => ({ uid, hotkey: `hotkey-${uid}` }));
  fc.assert(
    fc.property(shares, (rows) => {
      const byHotkey = new Map(rows.map(({ uid, ppm }) => [`hotkey-${uid}`, ppm]));
      const vector = weightVector(byHotkey, members, 'hotkey-0');
      assert.ok(vector.kind === 'weights');
      checkVector(vector);
    }),
  );
});
