import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, eventsAt, key, manualChain, NETUID, RawClient, storage, type TestChain, until } from '../support.ts';

const commitment = ({ api }: TestChain, text = 'x') =>
  call(api, 'commitments', 'setCommitment', NETUID, {
    fields: [{ [`Raw${text.length}`]: `0x${Buffer.from(text).toString('hex')}` }],
  });

interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly data?: string;
}

async function refusal(client: RawClient, extrinsic: string): Promise<Refusal> {
  try {
    await client.call('author_submitExtrinsic', extrinsic);
  } catch (error) {
    return error as Refusal;
  }
  throw new Error('the transaction was accepted');
}

const invalid = (data: string): Refusal => ({ code: 1010, message: 'Invalid Transaction', data });

test('a signature must be by the sender, over this call, version, genesis and birth block', async (t) => {
  const dev = await manualChain(t);
  const client = await RawClient.connect(t, dev.chain.url);
  for (let number = 1; number <= 3; number += 1) dev.chain.produceBlock();
  const miner = key('//Miner0');
  const options = {
    blockHash: dev.api.genesisHash,
    genesisHash: dev.api.genesisHash,
    runtimeVersion: dev.api.runtimeVersion,
    nonce: 0,
  };
  const bad = invalid('Transaction has a bad signature');
  const signed = commitment(dev).sign(miner, options).toU8a();
  const flipped = (at: number): string => {
    const copy = Uint8Array.from(signed);
    copy[at]! ^= 1;
    return `0x${Buffer.from(copy).toString('hex')}`;
  };
  assert.deepEqual(await refusal(client, flipped(signed.length - 1)), bad, 'another call');
  assert.deepEqual(await refusal(client, flipped(50)), bad, 'another signature');
  const wrong = (change: object) =>
    commitment(dev)
      .sign(miner, { ...options, ...change } as never)
      .toHex();
  const version = { ...dev.api.runtimeVersion.toJSON(), specVersion: 392 };
  const otherVersion = dev.api.registry.createType('RuntimeVersion', version);
  assert.deepEqual(await refusal(client, wrong({ runtimeVersion: otherVersion })), bad);
  assert.deepEqual(await refusal(client, wrong({ genesisHash: `0x${'22'.repeat(32)}` })), bad);
  const era = dev.api.registry.createType('ExtrinsicEra', { current: 2, period: 64 });
  assert.deepEqual(await refusal(client, wrong({ era, blockHash: dev.api.genesisHash })), bad, 'not the birth block');
  const birth = await dev.api.rpc.chain.getBlockHash(2);
  assert.match(String(await client.call('author_submitExtrinsic', wrong({ era, blockHash: birth }))), /^0x/);
});

test('an era that is over is a bad signature; one born before the kept hashes is ancient', async (t) => {
  const dev = await manualChain(t);
  const client = await RawClient.connect(t, dev.chain.url);
  dev.chain.produceBlock();
  const birth = await dev.api.rpc.chain.getBlockHash(1);
  const era = dev.api.registry.createType('ExtrinsicEra', { current: 1, period: 4 });
  const late = commitment(dev).sign(key('//Miner0'), {
    blockHash: birth,
    genesisHash: dev.api.genesisHash,
    runtimeVersion: dev.api.runtimeVersion,
    nonce: 0,
    era,
  });
  for (let number = 2; number <= 5; number += 1) dev.chain.produceBlock();
  assert.deepEqual(await refusal(client, late.toHex()), invalid('Transaction has a bad signature'));
  // Seen from block 6, an era of 64 blocks with phase 10 has not been born.
  const unborn = dev.api.registry.createType('ExtrinsicEra', { current: 10, period: 64 });
  const early = commitment(dev).sign(key('//Miner0'), {
    blockHash: birth,
    genesisHash: dev.api.genesisHash,
    runtimeVersion: dev.api.runtimeVersion,
    nonce: 0,
    era: unborn,
  });
  assert.deepEqual(await refusal(client, early.toHex()), invalid('Transaction has an ancient birth block'));
});

test('a nonce counts once: stale, known, and too cheap to replace', async (t) => {
  const dev = await manualChain(t);
  const client = await RawClient.connect(t, dev.chain.url);
  const miner = key('//Miner0');
  const first = await commitment(dev, 'a').signAsync(miner, { nonce: 0 });
  const hex = first.toHex();
  await client.call('author_submitExtrinsic', hex);
  assert.equal((await refusal(client, hex)).code, 1013);
  const second = (await commitment(dev, 'b').signAsync(miner, { nonce: 0 })).toHex();
  assert.equal((await refusal(client, second)).code, 1014);
  assert.equal(await client.call('system_accountNextIndex', miner.address), 1);
  dev.chain.produceBlock();
  assert.deepEqual(await refusal(client, hex), invalid('Transaction is outdated'));
  assert.deepEqual(await refusal(client, second), invalid('Transaction is outdated'));
});

test('a nonce that is too high waits for the ones before it', async (t) => {
  const dev = await manualChain(t);
  const miner = key('//Miner0');
  const statuses: string[] = [];
  await commitment(dev, 'second').signAndSend(miner, { nonce: 1 }, ({ status }) => {
    statuses.push(status.type);
  });
  const empty = dev.chain.produceBlock();
  assert.equal((await dev.api.rpc.chain.getBlock(empty.hash)).block.extrinsics.length, 2, 'timestamp and pulse only');
  await commitment(dev, 'first').signAndSend(miner, { nonce: 0 });
  const { hash } = dev.chain.produceBlock();
  assert.equal((await dev.api.rpc.chain.getBlock(hash)).block.extrinsics.length, 3, 'the timestamp and both');
  const account = (await storage(dev.api, 'system', 'account')(miner.address)).toJSON() as { nonce: number };
  assert.equal(account.nonce, 2);
  await until('the final status', () => statuses.includes('Finalized'));
  assert.equal(statuses[0], 'Future');
});

test('garbage, unsigned calls and unknown calls are refused', async (t) => {
  const dev = await manualChain(t);
  const client = await RawClient.connect(t, dev.chain.url);
  assert.equal((await refusal(client, '0x')).code, 1001);
  assert.equal((await refusal(client, '0x280402000b1234')).code, 1001);
  const unsigned = dev.api.tx['timestamp']!['set']!(1).toHex();
  assert.equal((await refusal(client, unsigned)).code, 1011);
  const commit = commitment(dev).toHex();
  assert.equal((await refusal(client, commit)).code, 1011);
});

test('a call of the author own kind fails when a user signs it, and counts his nonce', async (t) => {
  const dev = await manualChain(t);
  await dev.api.tx['timestamp']!['set']!(5).signAndSend(key('//Miner0'));
  const { hash } = dev.chain.produceBlock();
  const failed = (await eventsAt(dev.api, hash)).find(({ name }) => name === 'system.ExtrinsicFailed');
  assert.ok(failed);
  assert.deepEqual((failed.data as unknown[])[0], { badOrigin: null });
  const at = await dev.api.at(hash);
  assert.equal((await storage(at, 'timestamp', 'now')()).toString(), '1800000001000');
});

test('a watcher hears ready, inBlock and, blocks later, finalized', async (t) => {
  const dev = await manualChain(t, { finality_lag: 2 });
  const client = await RawClient.connect(t, dev.chain.url);
  const signed = await commitment(dev).signAsync(key('//Miner0'));
  const id = await client.call('author_submitAndWatchExtrinsic', signed.toHex());
  const { hash } = dev.chain.produceBlock();
  for (let number = 2; number <= 3; number += 1) dev.chain.produceBlock();
  await until('three statuses', () => client.notifications.length === 3);
  assert.deepEqual(
    client.notifications.map(({ params }) => params.result),
    ['ready', { inBlock: hash }, { finalized: hash }],
  );
  assert.ok(client.notifications.every(({ params }) => params.subscription === id));
});
