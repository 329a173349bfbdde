import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openBlobStore, openStore, StoreError } from '../../../node/store/index.ts';
import { temporaryFolder } from './support.ts';

const WRITER = fileURLToPath(new URL('writer.child.ts', import.meta.url));

/** The last number the writer said before it was killed at (or soon after) `until`. */
async function killAfter(child: ChildProcess, until: number): Promise<number> {
  let last = -1;
  assert.ok(child.stdout);
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    if (last >= until) child.kill('SIGKILL');
  }
  return last;
}

test('kill -9 of a writer loses nothing it had said and leaves nothing half done', async (t) => {
  const dataDir = temporaryFolder(t);
  const database = join(dataDir, 'node.sqlite');
  let said = -1;
  for (const more of [7, 12, 23]) {
    const child = spawn(process.execPath, [WRITER, dataDir, database], { stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    said = await killAfter(child, said + more);
    assert.deepEqual(await exited, [null, 'SIGKILL']);

    const store = openStore(database);
    const count = store.journal.count();
    assert.ok(count > said, `said ${said}, found ${count} events`);
    assert.equal(store.cursor.get()?.height, count - 1);
    assert.equal(store.blobs.totals().count, count);
    const blobs = await openBlobStore(dataDir, { reservedFreeBytes: 0 });
    for (const row of store.blobs.olderThan(count, 200)) assert.equal((await blobs.get(row.sha256)).length, row.size);
    store.close();
  }
});

test('a full disk is an operator error, and nothing durable is lost', async (t) => {
  const folder = temporaryFolder(t);
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]);
  if (mount.status !== 0) {
    t.skip('mounting a tmpfs is not permitted here');
    return;
  }
  try {
    await fillAndRecover(folder);
  } finally {
    spawnSync('umount', ['-l', folder]);
  }
});

async function fillAndRecover(folder: string): Promise<void> {
  const ballast = join(folder, 'ballast');
  writeFileSync(ballast, Buffer.alloc(600_000));
  const path = join(folder, 'node.sqlite');
  const store = openStore(path, { create: true });
  let written = 0;
  const fill = (): void => {
    for (; ; written++) {
      store.transaction(() => store.weights.intend(written, ['x'.repeat(20_000)]));
    }
  };
  assert.throws(
    fill,
    (error) => error instanceof StoreError && error.code === 'DISK_FULL' && error.fault === 'operator',
  );
  assert.ok(written > 3);
  const blobs = await openBlobStore(folder, { reservedFreeBytes: 0 });
  await assert.rejects(blobs.put(Buffer.alloc(1_500_000)), { code: 'DISK_FULL' });
  store.close();

  rmSync(ballast);
  const again = openStore(path);
  assert.equal(again.weights.last()?.epoch_height, written - 1);
  again.weights.intend(written, []);
  again.close();
}
