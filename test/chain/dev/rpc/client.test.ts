import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { blake2AsHex } from '@polkadot/util-crypto';
import {
  eventsAt,
  key,
  manualChain,
  manualOptions,
  NETUID,
  RawClient,
  SharedCleanup,
  storage,
  type TestChain,
  until,
} from '../support.ts';

describe('an unmodified client', () => {
  let dev: TestChain;
  const hashes: string[] = [];

  const shared = new SharedCleanup();
  before(async () => {
    dev = await manualChain(shared, { finality_lag: 2 });
    hashes.push(dev.chain.genesis);
    for (let number = 1; number <= 6; number += 1) hashes.push(dev.chain.produceBlock().hash);
  });
  after(() => shared.close());

  test('connects and sees the genesis hash, the runtime and metadata of version 14', () => {
    const { api, chain } = dev;
    assert.equal(api.genesisHash.toHex(), chain.genesis);
    assert.equal(api.runtimeVersion.specName.toString(), 'node-subtensor');
    assert.equal(api.runtimeVersion.specVersion.toNumber(), 393);
    assert.equal(api.runtimeMetadata.version, 14);
    assert.equal(api.registry.chainSS58, 42);
    assert.equal(api.consts['system']!['blockHashCount']!.toString(), '2400');
  });

  test('reads the subnet as the genesis configuration made it', async () => {
    const { api } = dev;
    const validator = key('//Validator0');
    assert.equal((await storage(api, 'subtensorModule', 'uids')(NETUID, validator.address)).toString(), '1');
    assert.equal((await storage(api, 'subtensorModule', 'keys')(NETUID, 1)).toString(), validator.address);
    const coldkey = await storage(api, 'subtensorModule', 'owner')(validator.address);
    assert.equal(coldkey.toString(), key('//Validator0//cold').address);
    const owner = await storage(api, 'subtensorModule', 'subnetOwnerHotkey')(NETUID);
    assert.equal(owner.toString(), key('//Owner').address);
    const permits = await storage(api, 'subtensorModule', 'validatorPermit')(NETUID);
    assert.deepEqual(permits.toJSON(), [false, true, true, false, false]);
    const stake = await storage(api, 'subtensorModule', 'totalHotkeyAlpha')(validator.address, NETUID);
    assert.equal(stake.toString(), '1000000000000');
    const commitReveal = await storage(api, 'subtensorModule', 'commitRevealWeightsEnabled')(NETUID);
    assert.equal(commitReveal.toJSON(), false);
  });

  test('pages through the keys of a map, and sees none where there are none', async () => {
    const uids = dev.api.query['subtensorModule']!['uids']!;
    const entries = await uids.entriesPaged({ args: [NETUID], pageSize: 2 });
    const next = await uids.entriesPaged({ args: [NETUID], pageSize: 10, startKey: entries[1]![0].toHex() });
    const seen = [...entries, ...next].map(([, uid]) => Number(uid.toString()));
    assert.deepEqual([entries.length, next.length], [2, 3]);
    assert.deepEqual(seen.sort(), [0, 1, 2, 3, 4]);
    assert.deepEqual(await uids.entries(NETUID + 1), []);
  });

  test('reads the state after older blocks, by hash', async () => {
    for (const number of [1, 3, 5]) {
      const at = await dev.api.at(hashes[number]!);
      assert.equal((await storage(at, 'system', 'number')()).toString(), `${number}`);
      assert.equal((await storage(at, 'system', 'parentHash')()).toHex(), hashes[number - 1]);
      assert.equal((await storage(at, 'system', 'blockHash')(number - 1)).toHex(), hashes[number - 1]);
    }
    const atGenesis = await dev.api.at(hashes[0]!);
    assert.equal((await storage(atGenesis, 'drand', 'lastStoredRound')()).toString(), '0');
  });

  test('finds that a header hashes to the name of its block, and that blocks name their parents', async () => {
    const { api } = dev;
    for (const [number, hash] of hashes.entries()) {
      const header = await api.rpc.chain.getHeader(hash);
      assert.equal(blake2AsHex(header.toU8a()), hash);
      assert.equal((await api.rpc.chain.getBlockHash(number)).toHex(), hash);
      if (number > 0) assert.equal(header.parentHash.toHex(), hashes[number - 1]);
    }
  });

  test('sees the finalized head two blocks behind, and each finalized head once and in order', async () => {
    const { api, chain } = dev;
    assert.equal((await api.rpc.chain.getFinalizedHead()).toHex(), hashes[4]);
    const seen: [number, string][] = [];
    const stop = await api.rpc.chain.subscribeFinalizedHeads((header) => {
      seen.push([header.number.toNumber(), header.hash.toHex()]);
    });
    for (let number = 7; number <= 9; number += 1) hashes.push(chain.produceBlock().hash);
    await until('four finalized heads', () => seen.length === 4);
    stop();
    assert.deepEqual(
      seen,
      [4, 5, 6, 7].map((number) => [number, hashes[number]]),
    );
  });

  test('gets storage changes by subscription, at the start and when a block makes them', async () => {
    const { api, chain } = dev;
    const seen: string[] = [];
    const stop = await storage(api, 'system', 'number')((value: { toString(): string }) => seen.push(value.toString()));
    chain.produceBlock();
    await until('two values', () => seen.length === 2);
    (stop as unknown as () => void)();
    assert.deepEqual(seen, ['9', '10']);
  });

  test('sees the timestamp and the pulse in the block, as events of the extrinsics that brought them', async () => {
    const first = await dev.api.at(hashes[1]!);
    assert.equal((await storage(first, 'timestamp', 'now')()).toString(), '1800000001000');
    const events = await eventsAt(dev.api, hashes[1]!);
    assert.deepEqual(
      events.map(({ extrinsic, name }) => [extrinsic, name]),
      [
        [0, 'system.ExtrinsicSuccess'],
        [1, 'drand.NewPulse'],
        [1, 'system.ExtrinsicSuccess'],
      ],
    );
  });
});

test('two chains of one configuration have the same blocks; another seed, another genesis', async (t) => {
  const { genesis } = await manualOptions();
  const [one, two] = [await manualChain(t), await manualChain(t)];
  const other = await manualChain(t, { genesis: { ...genesis, drand_seed: 'another' } });
  assert.equal(one.chain.genesis, two.chain.genesis);
  assert.deepEqual(one.chain.produceBlock(), two.chain.produceBlock());
  assert.notEqual(other.chain.genesis, one.chain.genesis);
});

test('a timed chain makes blocks by itself', async (t) => {
  const { api } = await manualChain(t, { block_time_ms: 20 });
  const seen: number[] = [];
  await api.rpc.chain.subscribeNewHeads((header) => {
    seen.push(header.number.toNumber());
  });
  await until('three heads', () => seen.length >= 3);
  assert.deepEqual(
    seen.slice(0, 3),
    [0, 1, 2].map((offset) => seen[0]! + offset),
  );
});

test('malformed requests are answered with JSON-RPC errors, and the connection goes on', async (t) => {
  const { chain } = await manualChain(t);
  const client = await RawClient.connect(t, chain.url);
  const code = (wanted: number) => (error: unknown) => (error as { code: number }).code === wanted;
  await assert.rejects(client.call('no_such_method'), code(-32_601));
  await assert.rejects(client.call('constructor'), code(-32_601));
  await assert.rejects(client.call('state_getStorage', 'not hex'), code(-32_602));
  await assert.rejects(client.call('state_getStorage', '0x00', `0x${'11'.repeat(32)}`), code(4003));
  await assert.rejects(client.call('state_getKeysPaged', '0x', 5000), code(-32_602));
  assert.equal(await client.call('chain_getHeader', `0x${'11'.repeat(32)}`), null);
  assert.equal(await client.call('chain_getBlockHash', 1000), null);
  assert.equal(await client.call('system_chain'), 'Cacheon Devnet');
});

test('a pruned chain refuses state it no longer has, and keeps the state it must have', async (t) => {
  const { api, chain } = await manualChain(t, { state_blocks_kept: 5 });
  for (let number = 1; number <= 260; number += 1) chain.produceBlock();
  const client = await RawClient.connect(t, chain.url);
  const number = api.query['system']!['number']!.key();
  const hashOf = async (height: number) => (await client.call('chain_getBlockHash', height)) as string;
  assert.equal(await client.call('state_getStorage', number, await hashOf(256)), '0x00010000');
  const discarded = (error: unknown) => /State already discarded/.test((error as { message: string }).message);
  await assert.rejects(client.call('state_getStorage', number, await hashOf(255)), discarded);
  assert.equal((await storage(api, 'subtensorModule', 'uids')(NETUID, key('//Miner0').address)).toString(), '3');
});
