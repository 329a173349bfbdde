import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { manualOptions, RawClient, until } from '../support.ts';
import { ended, killHard, launch, ready } from './process.ts';

function directory(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'cacheon-dev-chain-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function config(path: string, changes: object = {}): Promise<object> {
  return { ...(await manualOptions()), db_path: join(path, 'chain.sqlite'), ...changes };
}

interface Head {
  readonly number: number;
  readonly hash: string;
}

async function finalizedHead(client: RawClient): Promise<Head> {
  const hash = (await client.call('chain_getFinalizedHead')) as string;
  const header = (await client.call('chain_getHeader', hash)) as { number: string };
  return { number: Number(header.number), hash };
}

test('after kill -9 every announced block is there, and the chain goes on from it', async (t) => {
  const path = directory(t);
  const settings = await config(path, { block_time_ms: 5 });
  const first = await ready(launch(path, settings));
  const before = await RawClient.connect(t, first.url);
  await before.call('chain_subscribeFinalizedHeads');
  await until('some finalized heads', () => before.notifications.length > 20);
  await killHard(first.process);
  const announced = before.notifications.map(({ params }) => Number((params.result as { number: string }).number));
  const last = Math.max(...announced);

  const child = launch(path, settings);
  t.after(() => killHard(child));
  const second = await ready(child);
  const after = await RawClient.connect(t, second.url);
  assert.equal(second.genesis, first.genesis);
  const head = await finalizedHead(after);
  assert.ok(head.number >= last, `head ${head.number} after ${last} was announced`);
  const header = (await after.call('chain_getHeader', await after.call('chain_getBlockHash', last))) as object;
  assert.deepEqual(header, before.notifications.at(-1)?.params.result);
  await after.call('chain_subscribeNewHeads');
  await until('new blocks', () => after.notifications.length > 2);
});

test('SIGTERM ends the process with code 0', async (t) => {
  const path = directory(t);
  const child = launch(path, await config(path));
  await ready(child);
  child.kill('SIGTERM');
  const [code] = await once(child, 'close');
  assert.equal(code, 0);
});

test('what only an operator can mend ends with code 78 and says which', async (t) => {
  const path = directory(t);
  const good = await config(path);
  const running = launch(path, good);
  t.after(() => killHard(running));
  await ready(running);
  const busy = await ended(launch(path, good));
  assert.equal(busy.code, 78);
  assert.match(busy.stderr, /DEVCHAIN_DATABASE_BUSY/);
  await killHard(running);

  const { genesis } = await manualOptions();
  const other = await ended(launch(path, { ...good, genesis: { ...genesis, tempo: 99 } }));
  assert.equal(other.code, 78);
  assert.match(other.stderr, /DEVCHAIN_OTHER_GENESIS/);

  const unknownField = await ended(launch(path, { ...good, colour: 'blue' }));
  assert.equal(unknownField.code, 78);
  assert.match(unknownField.stderr, /DEVCHAIN_CONFIG.*colour/);
});

test('a damaged or foreign database is refused with code 78', async (t) => {
  const path = directory(t);
  const file = join(path, 'chain.sqlite');
  const settings = await config(path);

  writeFileSync(file, 'this is no database, but a text that is long enough to be taken for one');
  const text = await ended(launch(path, settings));
  assert.equal(text.code, 78);
  assert.match(text.stderr, /DEVCHAIN_DATABASE_CORRUPT/);

  rmSync(file);
  const foreign = new DatabaseSync(file);
  foreign.exec('CREATE TABLE somebody (name TEXT)');
  foreign.close();
  assert.equal((await ended(launch(path, settings))).code, 78);

  rmSync(file);
  const child = launch(path, settings);
  await ready(child);
  child.kill('SIGTERM');
  await once(child, 'close');
  truncateSync(file, 8192);
  const cut = await ended(launch(path, settings));
  assert.equal(cut.code, 78);
  assert.match(cut.stderr, /DEVCHAIN_DATABASE_CORRUPT/);
});
