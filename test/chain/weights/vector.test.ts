import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkVector, type WeightsVector, weightsVector } from '../../../chain/weights/index.ts';

const members = (count: number) => Array.from({ length: count }, (_, uid) => ({ uid, hotkey: `hotkey-${uid}` }));
const share = (uid: number, ppm: number) => ({ hotkey: `hotkey-${uid}`, ppm });

test('floor(ppm * 65535 / largest), zeros dropped, uids ascending', () => {
  assert.deepEqual(weightsVector([share(3, 250_000), share(1, 750_000)], members(4)), {
    uids: [1, 3],
    values: [65_535, 21_845],
  });
  assert.deepEqual(weightsVector([share(0, 999_999), share(1, 1), share(2, 0)], members(3)), {
    uids: [0],
    values: [65_535],
  });
  assert.deepEqual(weightsVector([share(0, 999_980), share(1, 20)], members(2))?.values, [65_535, 1]);
  assert.deepEqual(weightsVector([share(1, 400_000), share(0, 400_000), share(1, 200_000)], members(2)), {
    uids: [0, 1],
    values: [43_690, 65_535],
  });
});

test('a share without a uid gives no vector', () => {
  assert.equal(weightsVector([share(0, 500_000), { hotkey: 'owner', ppm: 500_000 }], members(1)), null);
  assert.notEqual(weightsVector([share(0, 1_000_000), { hotkey: 'owner', ppm: 0 }], members(1)), null);
});

test('shares and vectors out of range are refused', () => {
  for (const shares of [[], [share(0, 0)], [share(0, -1)], [share(0, 1.5)], [share(0, 1_000_001)]]) {
    assert.throws(() => weightsVector(shares, members(1)), { code: 'WEIGHTS_VECTOR' });
  }
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

test('every vector from shares is one the chain stores unchanged, in whatever order the shares come', () => {
  const shares = fc.array(fc.record({ uid: fc.nat(255), ppm: fc.integer({ min: 1, max: 1_000_000 }) }), {
    minLength: 1,
    maxLength: 64,
  });
  fc.assert(
    fc.property(shares, (rows) => {
      const forward = weightsVector(
        rows.map(({ uid, ppm }) => share(uid, ppm)),
        members(256),
      );
      const backward = weightsVector(
        rows.toReversed().map(({ uid, ppm }) => share(uid, ppm)),
        members(256).reverse(),
      );
      assert.ok(forward);
      checkVector(forward);
      assert.deepEqual(backward, forward);
    }),
  );
});
