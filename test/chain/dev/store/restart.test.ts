import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import {
  DevChainError,
  type DevChainErrorCode,
  type DevChainOptions,
  startDevChain,
} from '../../../../chain/dev/index.ts';
import { manualOptions, RawClient, until } from '../support.ts';
import { ended, killHard, launch, ready } from './process.ts';

function directory(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'cacheon-dev-chain-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function config(path: string, changes: Partial<DevChainOptions> = {}): Promise<DevChainOptions> {
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
  child.kill('SIGTERM');
  const [code] = await once(child, 'close');
  assert.equal(code, 0, 'SIGTERM is an orderly end');
});

test('a bad configuration and a bad database end the process with code 78 and say why', async (t) => {
  const path = directory(t);
  const settings = await config(path);
  writeFileSync(
    join(path, 'chain.sqlite'),
    'no database, but a text that is long enough to be taken for one'.repeat(20),
  );
  const unknownField = await ended(launch(path, { ...settings, colour: 'blue' }));
  assert.equal(unknownField.code, 78);
  assert.match(unknownField.stderr, /DEVCHAIN_CONFIG.*colour/);
  const text = await ended(launch(path, settings));
  assert.equal(text.code, 78);
  assert.match(text.stderr, /DEVCHAIN_DATABASE_CORRUPT.*chain\.sqlite/);
});

const refusedAs = (code: DevChainErrorCode) => (error: unknown) =>
  error instanceof DevChainError && error.code === code && error.fault === 'operator';

test('a database in use and one of another genesis are refused', async (t) => {
  const settings = await config(directory(t));
  const running = await startDevChain(settings);
  await assert.rejects(startDevChain(settings), refusedAs('DEVCHAIN_DATABASE_BUSY'));
  await running.close();
  const other = { ...settings, genesis: { ...settings.genesis, tempo: 99 } };
  await assert.rejects(startDevChain(other), refusedAs('DEVCHAIN_OTHER_GENESIS'));
  const again = await startDevChain({ ...settings, finality_lag: 3 });
  assert.equal(again.genesis, running.genesis, 'other settings than the genesis may change');
  await again.close();
});

test('a foreign database and one that lost its end are refused', async (t) => {
  const settings = await config(directory(t));
  const foreign = new DatabaseSync(settings.db_path);
  foreign.exec('CREATE TABLE somebody (name TEXT)');
  foreign.close();
  await assert.rejects(startDevChain(settings), refusedAs('DEVCHAIN_DATABASE_CORRUPT'));
  rmSync(settings.db_path);

  const chain = await startDevChain(settings);
  for (let number = 1; number <= 20; number += 1) chain.produceBlock();
  await chain.close();
  truncateSync(settings.db_path, 8192);
  await assert.rejects(startDevChain(settings), refusedAs('DEVCHAIN_DATABASE_CORRUPT'));
});
