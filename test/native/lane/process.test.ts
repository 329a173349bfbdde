import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createWasmLaneFactory, LaneError } from '../../../native/lane/index.ts';
import type { SlotModule } from '../../../native/lane/types.ts';
import { PATIENCE_MS, patience, testArena } from '../support/arena.ts';
import { matmulModule, OP, slotModule } from '../support/assemble.ts';

const arena = await testArena();
const SEQUENCES = [{ prompt: [1], decode: 1 }];

function open(...modules: SlotModule[]) {
  return createWasmLaneFactory({}, { arena }).open({ slotIndex: 0, modules }, patience());
}

/** Gone, or a zombie that only waits for its parent to look. */
function isGone(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}

async function untilGone(pid: number): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!isGone(pid)) {
    assert.ok(Date.now() < end, `process ${pid} is still there`);
    await delay(20);
  }
}

function crashed(fault: string) {
  return (error: unknown) => error instanceof LaneError && error.code === 'CRASHED' && error.fault === fault;
}

test('a lane killed from outside is a typed error, whose fault depends on what was loaded', async () => {
  const busy = await open(slotModule(matmulModule(OP.forever)));
  const running = busy.generate(SEQUENCES, patience());
  process.kill(Number(busy.facts.pid), 'SIGKILL');
  await assert.rejects(running, crashed('candidate'));
  const stock = await open();
  process.kill(Number(stock.facts.pid), 'SIGKILL');
  await untilGone(Number(stock.facts.pid));
  await assert.rejects(stock.generate(SEQUENCES, patience()), crashed('infrastructure'));
});

test('closing is idempotent and leaves no process, even one that never returns', async () => {
  const lane = await open(slotModule(matmulModule(OP.forever)));
  const running = lane.generate(SEQUENCES, patience());
  running.catch(() => {});
  await Promise.all([lane.close(), lane.close()]);
  await lane.close();
  assert.ok(isGone(Number(lane.facts.pid)));
  await assert.rejects(running, (error: unknown) => error instanceof LaneError && error.code === 'CLOSED');
});

for (const mode of ['idle', 'busy']) {
  test(`the lane ends with its host, ${mode} or not`, async () => {
    const program = fileURLToPath(new URL('../support/host.ts', import.meta.url));
    const args = ['--disable-warning=ExperimentalWarning', program, mode];
    const host = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(host.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    assert.ok(!isGone(pid));
    host.kill('SIGKILL');
    await once(host, 'exit');
    await untilGone(pid);
  });
}

test('facts say how the lane is kept apart', async () => {
  const lane = await open();
  assert.equal(lane.facts.sandbox, arena.sandbox.kind);
  assert.equal(lane.facts.memory_pages, 512);
  assert.equal(lane.facts.environment_variables, arena.sandbox.kind === 'bwrap' ? 1 : 0);
  for (const value of Object.values(lane.facts)) {
    assert.ok(typeof value !== 'number' || Number.isSafeInteger(value), 'evidence carries integers only');
  }
  await lane.close();
});
