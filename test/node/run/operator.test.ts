import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { type DevChain, devnetGenesis, startDevChain } from '../../../chain/dev/index.ts';
import { openEmbeddedArena } from '../../../node/arena/index.ts';
import {
  DEVNET,
  type DevnetLayout,
  makeLayout,
  planValidators,
  writeValidatorConfig,
} from '../../../node/devnet/layout.ts';
import { writeConsensus } from '../../../node/devnet/processes.ts';
import { initDataDirectory } from '../../../node/init/index.ts';
import { tryLock } from '../../../node/lock/index.ts';

const cli = fileURLToPath(new URL('../../../node/cli/main.ts', import.meta.url));
const cache = fileURLToPath(new URL('../../../.cache/wasm', import.meta.url));
let chain: DevChain;
let root: string;

before(async () => {
  await cryptoWaitReady();
  root = mkdtempSync(join(tmpdir(), 'operator-'));
  chain = await startDevChain({
    genesis: { ...devnetGenesis({ validators: 1, miners: 0 }), netuid: DEVNET.netuid },
    db_path: ':memory:',
  });
});

after(async () => {
  await chain.close();
  rmSync(root, { recursive: true, force: true });
});

interface Prepared {
  readonly layout: DevnetLayout;
  readonly dataDir: string;
  readonly configFile: string;
}

let prepared = 0;

/** A validator that could run: only what the test breaks keeps it from it. */
async function prepare(genesis: string = chain.genesis): Promise<Prepared> {
  const layout = makeLayout(join(root, `run${prepared++}`), cache);
  const [plan] = await planValidators(layout, 1);
  assert.ok(plan !== undefined);
  initDataDirectory(plan.dataDir, { randomBytes: (n) => new Uint8Array(n).fill(7) });
  writeFileSync(layout.authorityFile, '');
  const running = { genesis, port: chain.port, beaconGenesis: 0 };
  const arena = await openEmbeddedArena(cache, AbortSignal.timeout(300_000));
  writeConsensus(layout, running, arena.subject);
  writeValidatorConfig(plan, [plan], layout, running);
  return { layout, dataDir: plan.dataDir, configFile: plan.configFile };
}

async function runNode(
  configFile: string,
  env: Record<string, string> = {},
): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', cli, 'run', '--config', configFile], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const timer = setTimeout(() => child.kill('SIGKILL'), 120_000);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  return { code, said };
}

/** The operator must act: exit 78, the code of the error, what to do, and no stack. */
function assertOperator({ code, said }: { code: number | null; said: string }, name: string): void {
  assert.match(said, new RegExp(name));
  assert.equal(code, 78, said.slice(-2000));
  assert.match(said, /What to do: /);
  assert.doesNotMatch(said, /\n\s+at /);
}

test('another chain behind the endpoint', { timeout: 300_000 }, async () => {
  const { configFile } = await prepare(`0x${'ab'.repeat(32)}`);
  assertOperator(await runNode(configFile), 'WRONG_GENESIS');
});

test('a second process on the same data directory', { timeout: 300_000 }, async () => {
  const { configFile, dataDir } = await prepare();
  const lock = tryLock(join(dataDir, 'lock.sqlite'));
  assert.ok(lock !== null);
  assertOperator(await runNode(configFile), 'DATA_DIR_LOCKED');
  lock.release();
});

test('a corrupt database', { timeout: 300_000 }, async () => {
  const { configFile, dataDir } = await prepare();
  const file = openSync(join(dataDir, 'node.sqlite'), 'r+');
  writeSync(file, Buffer.alloc(8192, 0x5a), 0, 8192, 0);
  assertOperator(await runNode(configFile), 'STORE_(CORRUPT|FOREIGN)');
});

test('a missing hotkey', { timeout: 300_000 }, async () => {
  const { configFile, layout } = await prepare();
  const absent = join(layout.root, 'no-such-key');
  assertOperator(
    await runNode(configFile, { CACHEON_KEYS_HOTKEY_URI: '', CACHEON_KEYS_HOTKEY_FILE: absent }),
    'HOTKEY_MISSING|KEY_FILE|KEY_UNREADABLE|CONFIG_INVALID',
  );
});

test('a data directory of another hotkey', { timeout: 300_000 }, async () => {
  const { configFile, dataDir } = await prepare();
  const { openStore } = await import('../../../node/store/index.ts');
  const store = openStore(join(dataDir, 'node.sqlite'));
  store.meta.pin({ genesis_hash: chain.genesis, netuid: DEVNET.netuid, hotkey: 'somebody else' });
  store.close();
  assertOperator(await runNode(configFile), 'STORE_FOREIGN');
});

test('a consensus object of another arena', { timeout: 300_000 }, async () => {
  const { configFile, layout } = await prepare();
  const other = 'c'.repeat(64);
  rmSync(layout.consensusFolder, { recursive: true });
  mkdirSync(layout.consensusFolder);
  const arena = await openEmbeddedArena(cache, AbortSignal.timeout(300_000));
  const running = { genesis: chain.genesis, port: chain.port, beaconGenesis: 0 };
  writeConsensus(layout, running, { ...arena.subject, arena_digest: other });
  assertOperator(await runNode(configFile), 'ARENA_MISMATCH');
});
