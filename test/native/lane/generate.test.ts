import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWasmLaneFactory, LaneError, type SlotModule } from '../../../native/lane/index.ts';
import { patience, testArena } from '../support/arena.ts';
import { example } from '../support/build.ts';

const arena = await testArena();
const factory = createWasmLaneFactory({}, { arena });
const { context, vocab } = arena.config.shape;

const SEQUENCES = [16, 64, 65, 130, 240].map((length, index) => ({
  prompt: Array.from({ length }, (_, i) => (i * 37 + index * 101 + 5) % vocab),
  decode: Math.min(40, context - length),
}));

/** Tokens, and every logit that grading shows of them, from a lane of its own. */
async function launch(modules: readonly SlotModule[]) {
  const lane = await factory.open({ slotIndex: 0, modules }, patience());
  try {
    const { tokens, elapsedNs } = await lane.generate(SEQUENCES, patience());
    assert.ok(elapsedNs > 0n);
    const continuations = SEQUENCES.map(({ prompt }, index) => ({ prompt, tokens: tokens[index] as number[] }));
    return { tokens, grades: await lane.grade(continuations, patience()) };
  } finally {
    await lane.close();
  }
}

test('two launches give the same tokens and logits bit for bit', async () => {
  const first = await launch([]);
  assert.deepEqual(await launch([]), first);
  assert.deepEqual(
    first.grades.map((grades) => grades.map(({ best }) => best)),
    first.tokens,
  );
});

test('a candidate that is the stock slot gives stock’s tokens and logits', async () => {
  assert.deepEqual(await launch([await example(arena, 'matmul-copy')]), await launch([]));
});

test('the SIMD example’s tokens are the reference’s, or within a small margin of them', async () => {
  const { tokens } = await launch([await example(arena, 'matmul-simd', 'prepare')]);
  const reference = await factory.open({ slotIndex: 0, modules: [] }, patience());
  const continuations = SEQUENCES.map(({ prompt }, index) => ({ prompt, tokens: tokens[index] as number[] }));
  const grades = await reference.grade(continuations, patience());
  await reference.close();
  for (const grade of grades.flat()) assert.ok(grade.bestLogit - grade.tokenLogit < 1e-3);
});

test('the wrong example’s tokens are far from the reference', async () => {
  const { tokens } = await launch([await example(arena, 'matmul-wrong')]);
  const reference = await factory.open({ slotIndex: 0, modules: [] }, patience());
  const continuations = SEQUENCES.map(({ prompt }, index) => ({ prompt, tokens: tokens[index] as number[] }));
  const grades = await reference.grade(continuations, patience());
  await reference.close();
  assert.ok(grades.flat().some((grade) => grade.bestLogit - grade.tokenLogit > 0.5));
});

test('requests beyond the model are refused by name, and the lane goes on', async () => {
  const lane = await factory.open({ slotIndex: 0, modules: [] }, patience());
  const bad = [
    [],
    [{ prompt: [], decode: 1 }],
    [{ prompt: [vocab], decode: 1 }],
    [{ prompt: [-1], decode: 1 }],
    [{ prompt: [1.5], decode: 1 }],
    [{ prompt: [1], decode: 0 }],
    [{ prompt: [1], decode: context }],
  ];
  const isRequest = (error: unknown) => error instanceof LaneError && error.code === 'REQUEST';
  for (const sequences of bad) await assert.rejects(lane.generate(sequences, patience()), isRequest);
  await assert.rejects(lane.grade([{ prompt: [1], tokens: [] }], patience()), isRequest);
  const call = { slot: 'norm.rmsnorm', shape: { rows: 1, n: 2 }, inputs: [new Float32Array(2)] } as const;
  await assert.rejects(lane.audit([call], patience()), isRequest);
  await assert.rejects(lane.audit([{ ...call, shape: { rows: 1, k: 2 } }], patience()), isRequest);
  const { tokens } = await lane.generate([{ prompt: [1], decode: 2 }], patience());
  assert.equal(tokens[0]?.length, 2);
  await lane.close();
});
