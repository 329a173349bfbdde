import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { createWasmLaneFactory, type Lane, LaneError, type LaneErrorCode } from '../../../native/lane/index.ts';
import type { SlotModule } from '../../../native/lane/types.ts';
import { WasmError } from '../../../native/wasm/index.ts';
import { patience, testArena } from '../support/arena.ts';
import { assemble, MATMUL_TYPE, MEMORY_IMPORT, matmulModule, OP, slotModule } from '../support/assemble.ts';

const arena = await testArena();
const SEQUENCES = [{ prompt: [1, 2, 3], decode: 4 }];
/** Enough for a lane to load, too little to wait for. */
const DEADLINE_MS = 1_500;

function open(module: SlotModule, signal = patience(), options = {}): Promise<Lane> {
  return createWasmLaneFactory(options, { arena }).open({ slotIndex: 0, modules: [module] }, signal);
}

function candidate(code: LaneErrorCode, what?: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof LaneError, String(error));
    assert.equal(error.code, code, error.message);
    assert.equal(error.fault, 'candidate');
    if (what !== undefined) assert.match(error.message, what);
    return true;
  };
}

const START_TYPE = ['', ''] as const;
/** A linear.matmul module with a start function of this body. */
function starting(body: readonly number[]): SlotModule {
  const extra = { types: [MATMUL_TYPE, START_TYPE], functions: [0, 1], bodies: [[], body], start: 1 };
  return slotModule(matmulModule([], extra));
}

/** A linear.matmul module whose prepare runs this body, which leaves an i32. */
function preparing(body: readonly number[]): SlotModule {
  const wasm = assemble({
    types: [MATMUL_TYPE, ['iiii', 'i']],
    imports: [MEMORY_IMPORT],
    functions: [0, 1],
    exports: [
      ['matmul', 0, 0],
      ['prepare', 0, 1],
    ],
    bodies: [[], body],
  });
  return slotModule(wasm, { prepare: 'prepare' });
}

test('a trap in a slot is the candidate’s, and says which slot', async () => {
  const traps: readonly (readonly [readonly number[], RegExp])[] = [
    [OP.unreachable, /^linear\.matmul: unreachable$/],
    [OP.recurse, /^linear\.matmul: stack overflow$/],
    [[0x41, 0x7c, 0x43, 0, 0, 0, 0, 0x38, 2, 0], /^linear\.matmul: memory access out of bounds$/],
  ];
  for (const [body, message] of traps) {
    const lane = await open(slotModule(matmulModule(body)));
    await assert.rejects(lane.generate(SEQUENCES, patience()), candidate('TRAP', message));
    await assert.rejects(lane.generate(SEQUENCES, patience()), LaneError);
  }
});

test('a trap in an audit is the candidate’s as well', async () => {
  const lane = await open(slotModule(matmulModule(OP.unreachable)));
  const inputs = [new Float32Array(1), new Float32Array(1)];
  const call = { slot: 'linear.matmul', shape: { rows: 1, k: 1, n: 1 }, inputs } as const;
  await assert.rejects(lane.audit([call], patience()), candidate('TRAP'));
});

test('a slot that never returns is killed at the deadline', async () => {
  const lane = await open(slotModule(matmulModule(OP.forever)));
  await assert.rejects(lane.generate(SEQUENCES, AbortSignal.timeout(DEADLINE_MS)), candidate('DEADLINE'));
  assert.ok(!existsSync(`/proc/${lane.facts.pid}`));
});

test('the host’s own abort is nobody’s fault, whatever is loaded', async () => {
  const lane = await open(slotModule(matmulModule(OP.forever)));
  const stop = new AbortController();
  const running = lane.generate(SEQUENCES, stop.signal);
  stop.abort();
  await assert.rejects(running, (error: unknown) => {
    return error instanceof LaneError && error.code === 'ABORTED' && error.fault === 'infrastructure';
  });
});

test('a start function runs under the deadline of opening, and its trap is the candidate’s', async () => {
  const lane = await open(starting([]));
  await lane.close();
  await assert.rejects(open(starting(OP.unreachable)), candidate('TRAP', /linear\.matmul/));
  await assert.rejects(open(starting(OP.forever), AbortSignal.timeout(DEADLINE_MS)), candidate('DEADLINE'));
});

test('prepare must return what it wrote, within its room', async () => {
  const lane = await open(preparing([0x41, 1]));
  await lane.close();
  // 0, -1 and 2^24, which is more than twice the largest matrix.
  for (const result of [
    [0x41, 0],
    [0x41, 0x7f],
    [0x41, 0x80, 0x80, 0x80, 0x08],
  ]) {
    await assert.rejects(open(preparing(result)), candidate('CRASHED', /prepare/));
  }
  await assert.rejects(open(preparing(OP.unreachable)), candidate('TRAP'));
});

test('growing memory by nothing detaches it, which ends the lane as a crash of the candidate', async () => {
  const lane = await open(slotModule(matmulModule([0x41, 0, 0x40, 0, 0x1a])));
  await assert.rejects(lane.generate(SEQUENCES, patience()), candidate('CRASHED', /detached/));
});

test('a module that its row does not allow is refused before a process is started', async () => {
  const wrong = slotModule(matmulModule([]), { entry: 'other' });
  await assert.rejects(open(wrong), (error: unknown) => error instanceof WasmError && error.code === 'MODULE_EXPORTS');
});

test('a module that does not validate does not load', async () => {
  // The body leaves nothing where the type wants nothing, but reads a local that is not there.
  await assert.rejects(open(slotModule(matmulModule([0x20, 9, 0x1a]))), candidate('MODULE', /does not compile/));
});

test('exports named like properties of every object are called like any other', async () => {
  for (const entry of ['then', '__proto__', 'constructor']) {
    const lane = await open(slotModule(matmulModule(OP.unreachable, {}, entry), { entry }));
    await assert.rejects(lane.generate(SEQUENCES, patience()), candidate('TRAP', /unreachable/));
  }
});

test('a lane over its resident memory is killed', async () => {
  const lane = await open(slotModule(matmulModule(OP.forever)), patience(), { residentBytes: 16 * 1024 * 1024 }).catch(
    (error: unknown) => error,
  );
  // The watch looks ten times a second, so it may see the lane while it opens or while it runs.
  const end = lane instanceof LaneError ? Promise.reject(lane) : (lane as Lane).generate(SEQUENCES, patience());
  await assert.rejects(end, (error: unknown) => error instanceof LaneError && error.code === 'MEMORY');
});
