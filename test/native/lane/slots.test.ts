import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type AuditCall, createWasmLaneFactory, type Lane, type SlotModule } from '../../../native/lane/index.ts';
import { noise, patience, testArena } from '../support/arena.ts';
import { matmulModule, OP, slotModule } from '../support/assemble.ts';
import { example } from '../support/build.ts';
import { attention, matmul, rmsnorm, siluAndMul } from '../support/reference.ts';

const arena = await testArena();
const factory = createWasmLaneFactory({}, { arena });
const opened: Lane[] = [];
after(() => Promise.all(opened.map((lane) => lane.close())));

async function open(...modules: SlotModule[]): Promise<Lane> {
  const lane = await factory.open({ slotIndex: 1, modules }, patience());
  opened.push(lane);
  return lane;
}

function matmulCall(rows: number, k: number, n: number, seed = 1): AuditCall {
  return {
    slot: 'linear.matmul',
    shape: { rows, k, n },
    inputs: [noise(rows * k, seed), noise(k * n, seed + 1)],
  };
}

function attentionCall(heads: number, headDim: number, length: number): AuditCall {
  const rows = noise(2 * heads * headDim * length, 7);
  const middle = rows.length / 2;
  const q = noise(heads * headDim, 3).map((value) => 5 * value);
  const shape = { heads, head_dim: headDim, length };
  return { slot: 'attention.decode', shape, inputs: [q, rows.slice(0, middle), rows.slice(middle)] };
}

function siluCall(rows: number, n: number): AuditCall {
  return { slot: 'activation.silu_and_mul', shape: { rows, n }, inputs: [noise(2 * rows * n, 9).map((v) => 9 * v)] };
}

function normCall(rows: number, n: number): AuditCall {
  return { slot: 'norm.rmsnorm', shape: { rows, n }, inputs: [noise(rows * n, 4), noise(n, 5)] };
}

function expected({ slot, shape, inputs }: AuditCall): number[] {
  const [a, b, c] = inputs as [Float32Array, Float32Array, Float32Array];
  const { rows = 0, k = 0, n = 0, heads = 0, head_dim = 0, length = 0 } = shape;
  if (slot === 'linear.matmul') return matmul(a, b, rows, k, n);
  if (slot === 'attention.decode') return attention(a, b, c, heads, head_dim, length);
  if (slot === 'activation.silu_and_mul') return siluAndMul(a, rows, n);
  return rmsnorm(a, b, rows, n, Number(arena.config.rmsEps));
}

/** The contract's tolerance (`names.md`, WASM slots). */
function allClose(actual: Float32Array, wanted: readonly number[]): boolean {
  if (actual.length !== wanted.length) return false;
  return wanted.every((value, i) => Math.abs((actual[i] as number) - value) <= 1e-4 + 1e-3 * Math.abs(value));
}

const MATMUL_CALLS = [
  ...[1, 3, 4, 5, 9].flatMap((rows) => [matmulCall(rows, 1, 1), matmulCall(rows, 37, 33), matmulCall(rows, 176, 64)]),
  matmulCall(7, 300, 7),
  matmulCall(1, 64, 352),
  matmulCall(64, 64, 192),
];
const CALLS = [
  ...MATMUL_CALLS,
  attentionCall(1, 1, 1),
  attentionCall(3, 7, 13),
  attentionCall(4, 16, 320),
  siluCall(1, 1),
  siluCall(5, 177),
  normCall(1, 1),
  normCall(6, 63),
];

test('stock slots agree with float64 at odd shapes, write all of out and nothing else', async () => {
  const outputs = await (await open()).audit(CALLS, patience());
  outputs.forEach(({ output, clean, usedCandidate }, index) => {
    const call = CALLS[index] as AuditCall;
    assert.ok(allClose(output, expected(call)), `${call.slot} ${JSON.stringify(call.shape)}`);
    assert.ok(clean && !usedCandidate);
  });
});

test('the SIMD example is within tolerance everywhere, repacked weights and all', async () => {
  const lane = await open(await example(arena, 'matmul-simd', 'prepare'));
  const outputs = await lane.audit(CALLS, patience());
  outputs.forEach(({ output, clean, usedCandidate }, index) => {
    const call = CALLS[index] as AuditCall;
    assert.ok(allClose(output, expected(call)), `${call.slot} ${JSON.stringify(call.shape)}`);
    assert.ok(clean);
    assert.equal(usedCandidate, call.slot === 'linear.matmul');
  });
});

test('the wrong example is right at small shapes and wrong at the model’s', async () => {
  const lane = await open(await example(arena, 'matmul-wrong'));
  const calls = [matmulCall(4, 64, 64), matmulCall(4, 176, 64)];
  const right = (await lane.audit(calls, patience())).map(({ output }, i) =>
    allClose(output, expected(calls[i] as AuditCall)),
  );
  assert.deepEqual(right, [true, false]);
});

test('the order of the calls changes no result', async () => {
  const lane = await open(await example(arena, 'matmul-simd', 'prepare'));
  const forwards = await lane.audit(MATMUL_CALLS, patience());
  const backwards = await lane.audit(MATMUL_CALLS.toReversed(), patience());
  assert.deepEqual(backwards.toReversed(), forwards);
});

test('a call that writes an input, or leaves out alone, is seen', async () => {
  const call = matmulCall(2, 3, 4);
  const [dirty] = await (await open(slotModule(matmulModule(OP.storeAt(1))))).audit([call], patience());
  assert.equal(dirty?.clean, false);
  const [weights] = await (await open(slotModule(matmulModule(OP.storeAt(2))))).audit([call], patience());
  assert.equal(weights?.clean, false);
  const [idle] = await (await open(slotModule(matmulModule([])))).audit([call], patience());
  assert.equal(idle?.clean, true);
  assert.ok(idle?.output.every(Number.isNaN));
});

test('memory does not grow: memory.grow answers -1', async () => {
  const lane = await open(slotModule(matmulModule(OP.growInto(1))));
  const [answer] = await lane.audit([matmulCall(1, 1, 1)], patience());
  assert.deepEqual([...(answer?.output ?? [])], [-1]);
});

test('variants serve the calls of their domain, and stock the rest', async () => {
  const one = [0x20, 0, 0x43, 0, 0, 0x80, 0x3f, 0x38, 2, 0];
  const two = [0x20, 0, 0x43, 0, 0, 0, 0x40, 0x38, 2, 0];
  const lane = await open(
    slotModule(matmulModule(one), {
      variant: 'narrow',
      domain: { num_tokens: { max: 1 }, last_dim: { oneOf: [5, 6] }, dtype: { oneOf: ['float32'] } },
    }),
    slotModule(matmulModule(two), { variant: 'wide', domain: { num_tokens: { min: 2, max: 3 } } }),
    slotModule(matmulModule(two), { variant: 'elsewhere', domain: { kv_len: { min: 1 } } }),
  );
  const calls = [matmulCall(1, 5, 1), matmulCall(1, 7, 1), matmulCall(3, 5, 1), matmulCall(4, 5, 1)];
  const outputs = await lane.audit(calls, patience());
  assert.deepEqual(
    outputs.map(({ usedCandidate }) => usedCandidate),
    [true, false, true, false],
  );
  assert.deepEqual([outputs[0]?.output[0], outputs[2]?.output[0]], [1, 2]);
});
