import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { type DevChain, devnetGenesis, startDevChain } from '../../../chain/dev/index.ts';
import { bytesOf, type Chain, connectChain, itemsOf } from '../../../chain/rpc/index.ts';
import { decodePayload, payloadText } from '../../../evaluator/peer/index.ts';
import { checkBundle, proposalState, readBundle } from '../../../node/miner/index.ts';
import { NETUID } from '../../chain/devchain.ts';
import { cli } from '../cli/support.ts';
import { bundleFolder, editManifest, hotkeyFile } from './support.ts';

const URL = 'https://miner.example/bundle.tar.gz';

interface World {
  readonly dev: DevChain;
  readonly chain: Chain;
}

/** A chain whose clock runs thirty times as fast: every block brings a pulse of the beacon. */
async function fastChain(t: TestContext): Promise<World> {
  await cryptoWaitReady();
  const start = Date.now();
  const dev = await startDevChain(
    {
      block_time_ms: 100,
      db_path: ':memory:',
      genesis: { ...devnetGenesis({ validators: 3, miners: 1 }), genesis_time: Math.floor(start / 1000) },
    },
    { now: () => start + 30 * (Date.now() - start) },
  );
  const chain = await connectChain({ endpoints: [dev.url], genesisHash: dev.genesis }, { random: () => 0.5 });
  t.after(async () => {
    await chain.close();
    await dev.close();
  });
  return { dev, chain };
}

const REVEALED_WITHIN_MS = 12_000;

async function untilRevealed({ chain }: World, hotkey: string, payload: string): Promise<void> {
  const signal = AbortSignal.timeout(REVEALED_WITHIN_MS);
  while ((await proposalState(chain, NETUID, hotkey, payload, signal)).kind !== 'revealed') signal.throwIfAborted();
}

test('a checked bundle is committed under timelock, revealed, and not committed again', async (t) => {
  const world = await fastChain(t);
  const folder = bundleFolder(t);
  const argv = [
    ...['miner', 'commit', '--json', '--endpoint', world.dev.url, '--genesis', world.dev.genesis],
    ...['--netuid', String(NETUID), '--hotkey-file', hotkeyFile(t, '//Miner0'), '--url', URL],
    ...['--bundle', folder, '--reveal-in', '2'],
  ];
  const first = await cli(argv);
  assert.equal(first.exit, 0, first.out);
  const { result } = JSON.parse(first.out);
  const { contentHash } = checkBundle(await readBundle(folder, AbortSignal.timeout(5000)));
  assert.deepEqual([result.state, result.content_hash], ['committed', contentHash]);

  const payload = `{"v":1,"h":"${contentHash}","u":"${URL}"}`;
  await untilRevealed(world, result.hotkey, payload);
  const { hash } = await world.chain.finalizedHead();
  const state = await world.chain.stateAt(hash);
  const stored = await state.get('Commitments', 'RevealedCommitments', [NETUID, result.hotkey]);
  const [row] = itemsOf(stored, 'revealed');
  const text = payloadText(bytesOf(itemsOf(row, 'revealed')[0], 'revealed'));
  assert.deepEqual(decodePayload(text), { content_hash: contentHash, url: URL, payment: null });

  const again = JSON.parse((await cli(argv)).out);
  assert.equal(again.result.state, 'revealed');
  const unchanged = await world.chain.stateAt((await world.chain.finalizedHead()).hash);
  assert.equal(await unchanged.get('Commitments', 'CommitmentOf', [NETUID, result.hotkey]), null);
});

test('what would be lost or refused is said before anything is committed', async (t) => {
  const world = await fastChain(t);
  const hash = 'ab'.repeat(32);
  const commit = (hotkey: string, ...rest: string[]) =>
    cli([
      ...['miner', 'commit', '--endpoint', world.dev.url, '--netuid', String(NETUID)],
      ...['--hotkey-file', hotkeyFile(t, hotkey), ...rest],
    ]);
  const pinned = await commit('//Miner0', '--url', URL, '--content-hash', hash, '--genesis', `0x${hash}`);
  assert.deepEqual([pinned.exit, pinned.err.split(':')[0]], [78, 'WRONG_GENESIS']);
  const stranger = await commit('//Stranger', '--url', URL, '--content-hash', hash);
  assert.equal(stranger.exit, 78);
  assert.match(stranger.err, /HOTKEY_UNREGISTERED: 5\w{47}: (.|\n)*What to do: register it/);
  const http = await commit('//Miner0', '--url', 'http://miner.example/', '--content-hash', hash);
  assert.equal(http.exit, 1);
  assert.match(http.err, /PAYLOAD_MALFORMED: url: (.|\n)*What to do: .*https/);
  const folder = bundleFolder(t);
  editManifest(folder, (text) => text.replace('cacheon-wasm-abi-v1', 'v0'));
  const bundle = await commit('//Miner0', '--url', URL, '--bundle', folder);
  assert.deepEqual([bundle.exit, bundle.err.split(':')[0]], [1, 'MANIFEST_ABI']);

  const late = ['--url', URL, '--content-hash', hash, '--reveal-in', '28800'];
  assert.equal((await commit('//Miner0', ...late)).exit, 0);
  const pending = await commit('//Miner0', ...late);
  assert.equal(pending.exit, 75);
  assert.match(pending.err, /COMMIT_PENDING: round \d+: (.|\n)*--force/);
  assert.equal((await commit('//Miner0', ...late, '--force')).exit, 0);
});

test('usage: options that contradict each other exit 2', async () => {
  const base = ['miner', 'commit', '--hotkey-file', 'f', '--netuid', '1', '--url', URL];
  for (const rest of [
    ['--content-hash', 'ab'.repeat(32)],
    ['--endpoint', 'ws://127.0.0.1:1'],
    ['--endpoint', 'ws://127.0.0.1:1', '--content-hash', 'ab'],
    ['--endpoint', 'ws://127.0.0.1:1', '--content-hash', 'ab'.repeat(32), '--bundle', '.'],
    ['--network', 'devnet', '--content-hash', 'ab'.repeat(32)],
    ['--network', 'finney', '--content-hash', 'ab'.repeat(32), '--genesis', `0x${'ab'.repeat(32)}`],
    ['--endpoint', 'ws://127.0.0.1:1', '--content-hash', 'ab'.repeat(32), '--reveal-in', '0'],
  ]) {
    assert.equal((await cli([...base, ...rest])).exit, 2, rest.join(' '));
  }
});
