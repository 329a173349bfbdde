import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { lockDataDirectory, timingLock, tryLock } from '../../../node/lock/index.ts';
import { temporaryFolder } from '../store/support.ts';

const HOLDER = fileURLToPath(new URL('holder.child.ts', import.meta.url));
const lockAt = (path: string) => timingLock(path, { random: () => 0.5 });

async function holder(t: TestContext, kind: string, path: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [HOLDER, kind, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  assert.ok(child.stdout);
  const [data] = await once(child.stdout, 'data', { signal: AbortSignal.timeout(15_000) });
  assert.equal(String(data), 'held\n');
  return child;
}

test('a second process on a data directory is refused until the first is gone, even by kill -9', async (t) => {
  const dataDir = temporaryFolder(t);
  const child = await holder(t, 'data-dir', dataDir);
  assert.throws(() => lockDataDirectory(dataDir), { code: 'DATA_DIR_LOCKED', fault: 'operator' });
  child.kill('SIGKILL');
  await once(child, 'exit');
  const lock = lockDataDirectory(dataDir);
  assert.throws(() => lockDataDirectory(dataDir), { code: 'DATA_DIR_LOCKED' });
  lock.release();
  lock.release();
  lockDataDirectory(dataDir).release();
});

test('a lock that cannot be opened is an operator error that names the file', (t) => {
  const path = join(temporaryFolder(t), 'absent', 'lock.sqlite');
  assert.throws(() => tryLock(path), { code: 'LOCK_UNUSABLE', field: path });
});

test('timed sections never overlap, in one process and across processes', async (t) => {
  const path = join(temporaryFolder(t), 'timing.sqlite');
  const child = await holder(t, 'timing', path);
  let inside = 0;
  let entered = 0;
  const section = async (): Promise<number> => {
    assert.equal(++inside, 1);
    await new Promise((resolve) => setImmediate(resolve));
    inside--;
    return ++entered;
  };
  const waiting = Array.from({ length: 4 }, () => lockAt(path).withTimingLock(section, AbortSignal.timeout(15_000)));
  assert.equal(tryLock(path), null);
  assert.equal(entered, 0);
  child.stdin?.end();
  assert.deepEqual((await Promise.all(waiting)).sort(), [1, 2, 3, 4]);
});

test('a waiter that is aborted gives up; a section that throws frees the lock', async (t) => {
  const path = join(temporaryFolder(t), 'timing.sqlite');
  const held = tryLock(path);
  assert.ok(held);
  const controller = new AbortController();
  const waiting = lockAt(path).withTimingLock(async () => assert.fail('entered'), controller.signal);
  controller.abort();
  await assert.rejects(waiting, { code: 'LOCK_ABORTED', fault: 'infrastructure' });
  held.release();
  await assert.rejects(
    lockAt(path).withTimingLock(async () => {
      throw new Error('section failed');
    }, AbortSignal.timeout(5000)),
    /section failed/,
  );
  const free = tryLock(path);
  assert.ok(free);
  free.release();
});
