import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  gradePaired,
  PAIRED_PREVIEW_V9,
  pairsNeeded,
  parseSpeedPolicy,
  type QuadTimes,
  type QuadTokens,
  speedPolicyDigest,
} from '../../../evaluator/speed/index.ts';

const POLICY = PAIRED_PREVIEW_V9;
const CAP = 16_000_000;
const MS = 1_000_000;
const TOKENS: readonly (readonly QuadTokens[])[] = Array.from({ length: 5 }, () =>
  Array.from({ length: 6 }, (): QuadTokens => [1000, 900]),
);

/** Pairs of six equal quads; C takes `candidate` ms where B takes 120. */
function pairs(...candidate: number[]): QuadTimes[][] {
  return candidate.map((ms) => Array.from({ length: 6 }, (): QuadTimes => [120 * MS, ms * MS, ms * MS, 120 * MS]));
}

function verdict(times: QuadTimes[][]): string {
  const { result, reason, speedup } = gradePaired(POLICY, times, TOKENS, CAP);
  return `${result} ${reason} ${speedup}`;
}

test('the policy of names.md has its exact values and one digest', () => {
  const text = { policy_version: 'paired-preview.v9', margin_ppm: 100000, pairs: 5, quads: 6, block_ms_min: 50 };
  assert.deepEqual(parseSpeedPolicy(text), POLICY);
  assert.equal(speedPolicyDigest(POLICY), speedPolicyDigest(parseSpeedPolicy(JSON.parse(JSON.stringify(text)))));
  for (const change of [{ pairs: 0 }, { margin_ppm: 0 }, { extra: 1 }, { policy_version: 'v8' }, { quads: 1.5 }]) {
    assert.throws(() => parseSpeedPolicy({ ...text, ...change }), { code: 'SPEED_POLICY_INVALID' });
  }
});

test('PASS needs the median and at least 4 of 5 pairs above 1 + margin', () => {
  assert.equal(verdict(pairs(60, 60, 60, 60, 60)), 'PASS null 2');
  assert.equal(verdict(pairs(60, 60, 60, 60, 120)), 'PASS null 2');
  assert.equal(verdict(pairs(60, 60, 60, 120, 120)), 'NO_DECISION inconclusive null');
  assert.equal(verdict(pairs(60, 60, 120, 120, 120)), 'FAIL too_slow null');
  assert.deepEqual([1, 2, 3, 5, 10].map(pairsNeeded), [1, 2, 3, 4, 8]);
});

test('a median of exactly 1 + margin does not exceed it; the least above it does', () => {
  const at = Array.from({ length: 5 }, () =>
    Array.from({ length: 6 }, (): QuadTimes => [110 * MS, 100 * MS, 100 * MS, 110 * MS]),
  );
  assert.equal(verdict(at), 'FAIL too_slow null');
  const above = at.map((quads) => quads.map(([b, c, c2, b2]): QuadTimes => [b + 1, c, c2, b2]));
  assert.match(verdict(above), /^PASS null 1\.1000000/);
});

test('a quad compares the sums of rates: a slow half weighs as its own rate', () => {
  const quads = Array.from({ length: 5 }, () =>
    Array.from({ length: 6 }, (): QuadTimes => [100 * MS, 50 * MS, 200 * MS, 100 * MS]),
  );
  const equal = TOKENS.map((rows) => rows.map((): QuadTokens => [1000, 1000]));
  // (1000/50 + 1000/200) / (1000/100 + 1000/100) = 25 / 20.
  assert.equal(gradePaired(POLICY, quads, equal, CAP).median, '1.25');
});

test('the median of six quads is the mean of the middle two', () => {
  const ratios = [100, 200, 300, 500, 600, 700];
  const quads = ratios.map((percent): QuadTimes => [percent * MS, 100 * MS, 100 * MS, percent * MS]);
  assert.equal(gradePaired(POLICY, Array(5).fill(quads), TOKENS, CAP).median, '4');
});

test('short blocks decide as long ones do: their length is fixed before and is no part of the verdict', () => {
  const short = (b: number, c: number) =>
    Array.from({ length: 5 }, () => Array.from({ length: 6 }, (): QuadTimes => [b * MS, c * MS, c * MS, b * MS]));
  assert.equal(verdict(short(80, 40)), 'PASS null 2');
  assert.equal(verdict(short(40, 80)), 'FAIL too_slow null');
});

test('a higher median is reported as the cap', () => {
  const { speedup, median } = gradePaired(POLICY, pairs(60, 60, 60, 60, 60), TOKENS, 1_500_000);
  assert.deepEqual([speedup, median], ['1.5', '2']);
  assert.equal(gradePaired(POLICY, pairs(60, 60, 60, 60, 60), TOKENS, 1_234_567).speedup, '1.234567');
});

test('the verdict does not depend on the unit of time', () => {
  const block = fc.integer({ min: 60 * MS, max: 400 * MS });
  const quads = fc.array(fc.array(fc.tuple(block, block, block, block), { minLength: 6, maxLength: 6 }), {
    minLength: 5,
    maxLength: 5,
  });
  fc.assert(
    fc.property(quads, (times) => {
      const scaled = times.map((rows) => rows.map((quad) => quad.map((ns) => ns * 3) as unknown as QuadTimes));
      assert.deepEqual(gradePaired(POLICY, scaled, TOKENS, CAP), gradePaired(POLICY, times, TOKENS, CAP));
    }),
  );
});

test('malformed blocks are refused', () => {
  const good = pairs(60, 60, 60, 60, 60);
  assert.throws(() => gradePaired(POLICY, good.slice(1), TOKENS, CAP), { code: 'BLOCKS_INVALID' });
  assert.throws(() => gradePaired(POLICY, good.with(2, []), TOKENS, CAP), { code: 'BLOCKS_INVALID' });
  for (const ns of [0, -1, 1.5, 2 ** 51]) {
    const bad = good.with(1, (good[1] as QuadTimes[]).with(3, [ns, 1, 1, 1]));
    assert.throws(() => gradePaired(POLICY, bad, TOKENS, CAP), { code: 'BLOCKS_INVALID', field: 'pairs[1].quads[3]' });
  }
});
