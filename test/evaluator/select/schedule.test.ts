import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sha256Hex } from '../../../evaluator/identity/index.ts';
import {
  BLOCK_MAX_SEQUENCES,
  blockSize,
  CALIBRATION_POSITIONS,
  mostSequences,
  pairPrompts,
  promptPool,
  SeedStream,
  timedSequence,
  WARMUP_PROMPTS,
} from '../../../evaluator/select/index.ts';

const pool = promptPool(sha256Hex('pool'), 300);

test('the pool is a function of its seed: 16 to 240 byte tokens, each prompt once, sorted by digest', () => {
  assert.deepEqual(promptPool(sha256Hex('pool'), 300), pool);
  assert.notDeepEqual(promptPool(sha256Hex('other'), 300), pool);
  const lengths = pool.map((prompt) => prompt.tokens.length);
  assert.ok(Math.min(...lengths) >= 16 && Math.max(...lengths) <= 240);
  assert.ok(Math.min(...lengths) < 30 && Math.max(...lengths) > 226, 'lengths span the range');
  assert.ok(pool.every(({ tokens }) => tokens.every((token) => token >= 0 && token < 256)));
  assert.deepEqual(
    pool.map((prompt) => prompt.digest),
    [...new Set(pool.map(({ tokens }) => sha256Hex(Uint8Array.from(tokens))))].sort(),
  );
  for (const count of [0, 65_537, 1.5]) assert.throws(() => promptPool('aa', count), { code: 'POOL_INVALID' });
});

test('a pair uses every selected prompt once and no prompt twice, in places that differ from pair to pair', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 12 }), (n, sequences, count) => {
      const seed = sha256Hex(`${n}`);
      const selected = pool.slice(n % 200, (n % 200) + count).map((prompt) => prompt.digest);
      const pairs = pairPrompts({ seed, pool, selected, pairs: 3, quads: 6, sequences });
      for (const { warmup, halves } of pairs) {
        const timed = halves.flat();
        assert.deepEqual(
          halves.map((half) => half.length),
          Array(12).fill(sequences),
        );
        assert.equal(warmup.length, WARMUP_PROMPTS);
        assert.equal(new Set([...warmup, ...timed]).size, WARMUP_PROMPTS + timed.length);
        for (const digest of selected) assert.ok(timed.some((at) => pool[at]?.digest === digest));
      }
      assert.notDeepEqual(pairs[0], pairs[1]);
    }),
    { numRuns: 30 },
  );
});

test('warm-up prompts do not depend on the block size, which is found out with them', () => {
  const input = { seed: sha256Hex('s'), pool, selected: [pool[0]?.digest as string], pairs: 1, quads: 6 };
  const warmups = [1, 5, 20].map((sequences) => pairPrompts({ ...input, sequences })[0]?.warmup);
  assert.deepEqual(warmups[1], warmups[0]);
  assert.deepEqual(warmups[2], warmups[0]);
});

test('a pool too small for one process is refused', () => {
  const input = { seed: 'aa', pool: pool.slice(0, 60), selected: [], pairs: 1, quads: 6 };
  assert.throws(() => pairPrompts({ ...input, sequences: 2 }), { code: 'POOL_TOO_SMALL' });
  assert.equal(pairPrompts({ ...input, sequences: mostSequences(60, 6) }).length, 1);
  const all = pool.map((prompt) => prompt.digest);
  assert.throws(() => pairPrompts({ ...input, pool, selected: all, sequences: 1 }), { code: 'POOL_TOO_SMALL' });
});

test('blocks are sized by the median read of the faster side, with headroom, within their bounds', () => {
  const read = (ns: number) => [ns * 3, Math.ceil(ns / 4), ns];
  // 160 positions in 5 ms on the faster side: 50 ms and a tenth are 1,760 positions.
  const size = blockSize({ baseline_ns: read(20_000_000), candidate_ns: read(5_000_000) }, 50, 64);
  assert.deepEqual(size, { sequences: 6, positions: 294 });
  assert.deepEqual(blockSize({ baseline_ns: read(5_000_000), candidate_ns: read(20_000_000) }, 50, 64), size);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 40 }), fc.integer({ min: 1, max: 60_000 }), (ns, ms) => {
      const { sequences, positions } = blockSize({ baseline_ns: read(ns), candidate_ns: read(ns) }, ms, 64);
      assert.ok(sequences >= 1 && sequences <= BLOCK_MAX_SEQUENCES);
      assert.ok(positions >= 64 && positions <= 320);
      const enough = (sequences * positions * ns) / CALIBRATION_POSITIONS >= ms * 1_000_000;
      assert.ok(enough || sequences === BLOCK_MAX_SEQUENCES);
    }),
  );
  for (const ns of [0, -1, 1.5, 2 ** 60]) {
    const bad = { baseline_ns: [ns, 1, 9], candidate_ns: [1, 1, 1] };
    assert.throws(() => blockSize(bad, 50, 64), { code: 'CALIBRATION_INVALID' });
  }
  assert.throws(() => blockSize({ baseline_ns: [1], candidate_ns: read(1) }, 50, 64), { code: 'CALIBRATION_INVALID' });
});

test('a timed sequence has exactly its positions; a long prompt is cut so that 16 tokens are decoded', () => {
  const prompt = Array.from({ length: 200 }, (_, i) => i);
  assert.deepEqual(timedSequence(prompt, 320), { prompt, decode: 120 });
  assert.deepEqual(timedSequence(prompt, 100), { prompt: prompt.slice(0, 84), decode: 16 });
  assert.deepEqual(timedSequence(prompt.slice(0, 16), 64), { prompt: prompt.slice(0, 16), decode: 48 });
});

test('a stream draws without bias from what its bound allows, and labels keep streams apart', () => {
  const counts = [0, 0, 0, 0, 0];
  const stream = new SeedStream(sha256Hex('s'), 'a');
  for (let i = 0; i < 5000; i++) {
    const drawn = stream.below(5);
    counts[drawn] = (counts[drawn] as number) + 1;
  }
  assert.ok(
    counts.every((count) => count > 850 && count < 1150),
    counts.join(),
  );
  const draws = (label: string) => {
    const s = new SeedStream(sha256Hex('s'), label);
    return Array.from({ length: 20 }, () => s.next32());
  };
  assert.deepEqual(draws('a'), draws('a'));
  assert.notDeepEqual(draws('a'), draws('b'));
  const shuffled = new SeedStream(sha256Hex('s'), 'x').shuffled([1, 2, 3, 4, 5, 6, 7, 8]);
  assert.deepEqual([...shuffled].sort(), [1, 2, 3, 4, 5, 6, 7, 8]);
});
