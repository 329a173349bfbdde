import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exp, firstOutside, slotReference } from '../../../evaluator/audit/index.ts';

const f32 = (...values: number[]) => Float32Array.from(values);
const near = (a: number, b: number) => assert.ok(Math.abs(a - b) <= 1e-13 * Math.max(1, Math.abs(b)), `${a} ${b}`);

test('exp agrees with the platform to 1e-14 and has its limits', () => {
  fc.assert(
    fc.property(fc.double({ min: -700, max: 700, noNaN: true }), (x) => {
      const want = Math.exp(x);
      assert.ok(Math.abs(exp(x) - want) <= 1e-14 * want, `${x}`);
    }),
  );
  assert.equal(exp(0), 1);
  assert.equal(exp(-1e9), 0);
  assert.equal(exp(1e9), Number.POSITIVE_INFINITY);
  assert.ok(Number.isNaN(exp(Number.NaN)));
});

test('matmul multiplies by the transpose', () => {
  const out = slotReference('linear.matmul', [2, 3, 2], [f32(1, 2, 3, 4, 5, 6), f32(1, 0, -1, 2, 2, 2)], 0);
  assert.deepEqual([...out], [-2, 12, -2, 30]);
});

test('attention is a softmax of scaled products over the cache, head by head', () => {
  const q = f32(1, 0, 0, 2);
  const keys = f32(1, 1, 1, 1, 3, 0, 0, -1);
  const values = f32(1, 2, 3, 4, 5, 6, 7, 8);
  const out = slotReference('attention.decode', [2, 2, 2], [q, keys, values], 0);
  const scale = Math.SQRT1_2;
  const share = (a: number, b: number) => 1 / (1 + Math.exp((b - a) * scale));
  const first = share(1, 3);
  const second = share(2, -2);
  near(out[0] as number, first * 1 + (1 - first) * 5);
  near(out[1] as number, first * 2 + (1 - first) * 6);
  near(out[2] as number, second * 3 + (1 - second) * 7);
  near(out[3] as number, second * 4 + (1 - second) * 8);
});

test('silu_and_mul has the gate first; rmsnorm divides by the root of mean square and eps', () => {
  const silu = slotReference('activation.silu_and_mul', [1, 2], [f32(1, -2, 3, 4)], 0);
  near(silu[0] as number, 3 / (1 + Math.exp(-1)));
  near(silu[1] as number, -8 / (1 + Math.exp(2)));
  const norm = slotReference('norm.rmsnorm', [1, 2], [f32(3, 4), f32(2, 0.5)], 0.5);
  near(norm[0] as number, (3 / Math.sqrt(13)) * 2);
  near(norm[1] as number, (4 / Math.sqrt(13)) * 0.5);
});

test('the tolerance is atol + rtol x |reference|, inclusive; NaN and other lengths are outside', () => {
  const reference = Float64Array.from([1, -2, 0]);
  assert.equal(firstOutside(f32(1, -2, 0), reference, 0.25, 0.125), -1);
  assert.equal(firstOutside(f32(1.375, -2.5, -0.25), reference, 0.25, 0.125), -1);
  assert.equal(firstOutside(f32(1, -2.5000002, 0), reference, 0.25, 0.125), 1);
  assert.equal(firstOutside(f32(1, -2, 0.2500001), reference, 0.25, 0.125), 2);
  assert.equal(firstOutside(f32(1, Number.NaN, 0), reference, 0.25, 0.125), 1);
  assert.equal(firstOutside(f32(1, -2, Number.POSITIVE_INFINITY), reference, 0.25, 0.125), 2);
  assert.equal(firstOutside(f32(1, -2), reference, 0.25, 0.125), 0);
});
