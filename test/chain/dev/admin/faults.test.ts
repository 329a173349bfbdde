import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventsAt, key, manualChain, NETUID, RawClient, storage, until } from '../support.ts';

const heightOf = ({ params }: { params: { result: unknown } }): number =>
  Number((params.result as { number: string }).number);

test('stalled finality stays where it is while blocks go on, and jumps when it is let go', async (t) => {
  const { chain } = await manualChain(t);
  const client = await RawClient.connect(t, chain.url);
  await client.call('chain_subscribeFinalizedHeads');
  chain.produceBlock();
  await client.call('dev_stallFinality', true);
  for (let number = 2; number <= 4; number += 1) chain.produceBlock();
  const stalled = await client.call('chain_getFinalizedHead');
  assert.equal(stalled, await client.call('chain_getBlockHash', 1));
  await client.call('dev_stallFinality', false);
  chain.produceBlock();
  await until('the jump', () => client.notifications.length === 3);
  assert.deepEqual(client.notifications.map(heightOf), [0, 1, 5]);
});

test('skipped heads are not announced but can be read', async (t) => {
  const { chain } = await manualChain(t);
  const client = await RawClient.connect(t, chain.url);
  await client.call('chain_subscribeNewHeads');
  await client.call('dev_skipHeads', 2);
  for (let number = 1; number <= 3; number += 1) chain.produceBlock();
  await until('the head after the gap', () => client.notifications.length === 2);
  assert.deepEqual(client.notifications.map(heightOf), [0, 3]);
  assert.match(String(await client.call('chain_getBlockHash', 1)), /^0x/);
});

test('dropped sockets are dropped; the client library comes back by itself', async (t) => {
  const { api, chain } = await manualChain(t);
  const client = await RawClient.connect(t, chain.url);
  let reconnected = false;
  api.on('connected', () => {
    reconnected = true;
  });
  assert.equal(await client.call('dev_dropSockets'), true);
  await client.closed();
  await until('the reconnection', () => reconnected);
  assert.equal((await api.rpc.chain.getBlockHash(0)).toHex(), chain.genesis);
});

test('another chain appears behind the same socket, and the first one again', async (t) => {
  const { chain } = await manualChain(t);
  const client = await RawClient.connect(t, chain.url);
  await client.call('chain_subscribeFinalizedHeads');
  const first = chain.produceBlock();
  const otherGenesis = await client.call('dev_switchGenesis');
  assert.notEqual(otherGenesis, chain.genesis);
  assert.equal(await client.call('chain_getBlockHash', 0), otherGenesis);
  const other = chain.produceBlock();
  assert.equal(other.number, first.number);
  assert.notEqual(other.hash, first.hash);
  await until('a head of each chain', () => client.notifications.length === 3);
  assert.equal(await client.call('dev_switchGenesis'), chain.genesis);
  assert.equal(chain.produceBlock().number, 2);
});

test('stake, permit and registration can be edited, from the next block on', async (t) => {
  const { api, chain } = await manualChain(t);
  const client = await RawClient.connect(t, chain.url);
  const [validator, miner, newcomer] = [key('//Validator0'), key('//Miner0'), key('//Newcomer')];
  const read = async (entry: string, ...keys: unknown[]) =>
    (await storage(api, 'subtensorModule', entry)(...keys)).toJSON();
  assert.equal(await client.call('dev_setStake', validator.address, '77'), 1);
  await client.call('dev_setPermit', miner.address, true);
  await client.call('dev_setRegistered', newcomer.address, true, key('//Newcomer//cold').address);
  await client.call('dev_setRegistered', key('//Miner1').address, false);
  assert.notEqual(await read('totalHotkeyAlpha', validator.address, NETUID), 77);
  const { hash } = chain.produceBlock();
  assert.equal(await read('totalHotkeyAlpha', validator.address, NETUID), 77);
  assert.deepEqual(await read('validatorPermit', NETUID), [false, true, true, true, false, false]);
  assert.equal(await read('uids', NETUID, newcomer.address), 5);
  assert.equal(await read('owner', newcomer.address), key('//Newcomer//cold').address);
  assert.equal(await read('uids', NETUID, key('//Miner1').address), null);
  assert.notEqual(await read('keys', NETUID, 4), key('//Miner1').address, 'somebody else has the uid');
  assert.equal(await read('subnetworkN', NETUID), 6);
  const registered = (await eventsAt(api, hash)).filter(({ name }) => name === 'subtensorModule.NeuronRegistered');
  assert.deepEqual(
    registered.map(({ extrinsic }) => extrinsic),
    [null, null],
  );
});

test('the dev methods exist only where the configuration allows them', async (t) => {
  const { chain } = await manualChain(t, { admin: false });
  const client = await RawClient.connect(t, chain.url);
  await assert.rejects(client.call('dev_produceBlock'), (error) => (error as { code: number }).code === -32_601);
});
