import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareBytes } from '../../../evaluator/identity/index.ts';
import { compareOrderKeys, decodeAddress, type OrderKey } from '../../../evaluator/peer/index.ts';
import { committedHeight } from '../../../evaluator/peer/queue.ts';
import { digest, key } from './world.ts';

const small = fc.nat(2);
const orderKey: fc.Arbitrary<OrderKey> = fc.record({
  committed: small,
  block: small,
  event_index: small,
  event_subindex: small,
  hotkey: small.map(key),
  content_hash: small.map((n) => digest(`${n}`)),
});

test('the order is that of the tuple, hotkeys as bytes, and it is total', () => {
  const reference = (a: OrderKey, b: OrderKey): number => {
    const numbers = ['committed', 'block', 'event_index', 'event_subindex'] as const;
    for (const field of numbers) if (a[field] !== b[field]) return Math.sign(a[field] - b[field]);
    const hotkeys = compareBytes(decodeAddress(a.hotkey) as Uint8Array, decodeAddress(b.hotkey) as Uint8Array);
    if (hotkeys !== 0) return Math.sign(hotkeys);
    return Math.sign(compareBytes(Buffer.from(a.content_hash, 'hex'), Buffer.from(b.content_hash, 'hex')));
  };
  fc.assert(
    fc.property(orderKey, orderKey, orderKey, (a, b, c) => {
      assert.equal(Math.sign(compareOrderKeys(a, b)), reference(a, b));
      assert.equal(Math.sign(compareOrderKeys(b, a)), reference(b, a));
      if (compareOrderKeys(a, b) <= 0 && compareOrderKeys(b, c) <= 0) assert.ok(compareOrderKeys(a, c) <= 0);
    }),
    { numRuns: 500 },
  );
});

test('committed is as read, within the 7,200 blocks up to the reveal', () => {
  assert.equal(committedHeight(null, 10_000), 10_000);
  assert.equal(committedHeight(9_999, 10_000), 9_999);
  assert.equal(committedHeight(10_001, 10_000), 10_000);
  assert.equal(committedHeight(2_800, 10_000), 2_800);
  assert.equal(committedHeight(2_799, 10_000), 2_800);
  assert.equal(committedHeight(0, 50), 0);
});
