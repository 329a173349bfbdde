import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createWasmLaneFactory } from '../../../native/lane/index.ts';
import { patience, TINY, testArena } from '../support/arena.ts';
import { referenceLogits } from '../support/reference.ts';

const arena = await testArena(TINY);
const lane = await createWasmLaneFactory({}, { arena }).open({ slotIndex: 0, modules: [] }, patience());
after(() => lane.close());

/** f32 sums against float64, through two layers. */
const TOLERANCE = 2e-4;
const PROMPT = [3, 36, 0, 17, 17, 5, 29, 8, 1, 22, 31];

function close(actual: number, expected: number, what: string): void {
  assert.ok(Math.abs(actual - expected) <= TOLERANCE * (1 + Math.abs(expected)), `${what}: ${actual}, not ${expected}`);
}

test('the engine’s logits are those of a plain float64 transformer with the same weights', async () => {
  const continuation = Array.from({ length: TINY.shape.context - PROMPT.length }, (_, i) => (i * 11 + 2) % 37);
  const logits = referenceLogits(TINY, [...PROMPT, ...continuation]);
  const [grades = []] = await lane.grade([{ prompt: PROMPT, tokens: continuation }], patience());
  assert.equal(grades.length, continuation.length);
  grades.forEach((grade, index) => {
    const expected = logits[PROMPT.length - 1 + index] as number[];
    close(grade.tokenLogit, expected[continuation[index] as number] as number, `logit of token ${index}`);
    close(grade.bestLogit, Math.max(...expected), `best logit ${index}`);
    close(expected[grade.best] as number, grade.bestLogit, `logit of the best token ${index}`);
  });
});

test('greedy decoding takes the reference’s best token each time', async () => {
  const decode = TINY.shape.context - PROMPT.length;
  const { tokens } = await lane.generate([{ prompt: PROMPT, decode }], patience());
  const generated = tokens[0] as number[];
  const [grades = []] = await lane.grade([{ prompt: PROMPT, tokens: generated }], patience());
  assert.deepEqual(
    grades.map(({ best }) => best),
    generated,
  );
  for (const { bestLogit, tokenLogit } of grades) assert.equal(tokenLogit, bestLogit);
});

test('a sequence does not depend on what was decoded before it', async () => {
  const sequences = [
    { prompt: PROMPT, decode: 9 },
    { prompt: [1], decode: 1 },
    { prompt: [30, 2], decode: 30 },
  ];
  const forwards = await lane.generate(sequences, patience());
  const backwards = await lane.generate(sequences.toReversed(), patience());
  assert.deepEqual(backwards.tokens.toReversed(), forwards.tokens);
});

test('another seed, another shape or another eps is another model with another digest', async () => {
  const others = await Promise.all([
    testArena({ ...TINY, seed: '1' }),
    testArena({ ...TINY, rmsEps: '0.5' }),
    testArena({ ...TINY, shape: { ...TINY.shape, layers: 1 } }),
  ]);
  const digests = [arena, ...others].map(({ modelDigest }) => modelDigest);
  assert.equal(new Set(digests).size, digests.length);
  assert.equal(new Set([arena, ...others].map(({ engineDigest }) => engineDigest)).size, 1);
});
