import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeAddress } from '@polkadot/util-crypto';
import { ChainError } from '../../../chain/errors.ts';
import { readMetagraph, subnetState, ZERO_ACCOUNT } from '../../../chain/metagraph/index.ts';
import { readStorage, stateReader } from '../../../chain/rpc/state.ts';
import { NETUID, startTestChain } from '../devchain.ts';

/** Neurons whose keys are never used: the first quarter has permits. */
const neurons = (count: number) =>
  Array.from({ length: count }, (_, uid) => ({
    uid,
    hotkey: encodeAddress(Buffer.alloc(32, `hotkey ${uid} `), 42),
    coldkey: encodeAddress(Buffer.alloc(32, `coldkey ${uid} `), 42),
    stake: '1000000000000',
    permit: uid < count / 4,
  }));

test('256 neurons are read in a few round trips, all at one hash', async (t) => {
  const { chain, produce } = await startTestChain(t, { genesis: { neurons: neurons(256) } });
  const head = await chain.header(produce(1));
  const runtime = await chain.runtimeAt(head.hash);
  const asked: (readonly unknown[])[] = [];
  const counting = {
    call: (method: string, params: readonly unknown[]) => {
      asked.push(params);
      assert.equal(method, 'state_queryStorageAt');
      return chain.rpc.call(method, params);
    },
  };
  const metagraph = await readMetagraph(stateReader(counting, head.hash, runtime), NETUID);
  assert.equal(asked.length, 3);
  assert.ok(asked.every((params) => params.at(-1) === head.hash));
  assert.equal(metagraph.neurons.length, 256);
  assert.deepEqual(
    metagraph.neurons.map(({ uid }) => uid),
    Array.from({ length: 256 }, (_, uid) => uid),
  );
  assert.equal(metagraph.neurons.filter(({ permit }) => permit).length, 64);
  assert.equal(metagraph.neurons[1]?.stake, '1000000000000');
  assert.deepEqual(
    metagraph.neurons.map(({ hotkey }) => hotkey),
    neurons(256).map(({ hotkey }) => hotkey),
  );
  const state = subnetState(metagraph);
  assert.equal(state.validators.length, 64);
  assert.equal(Object.keys(state.others).length, 192);
});

test('a subnet without neurons, and an owner that is zero', async (t) => {
  const { chain, produce } = await startTestChain(t);
  const state = await chain.stateAt(produce(1));
  const metagraph = await readMetagraph(state, 77);
  assert.deepEqual(metagraph, { hash: state.hash, netuid: 77, neurons: [], ownerHotkey: null });
});

test('a miner without owner has no coldkey; a validator keeps the zero account', () => {
  const neuron = { coldkey: null, stake: '1' };
  const state = subnetState({
    hash: '0x',
    netuid: 1,
    ownerHotkey: null,
    neurons: [
      { ...neuron, uid: 0, hotkey: 'v', permit: true },
      { ...neuron, uid: 1, hotkey: 'm', permit: false },
    ],
  });
  assert.deepEqual(state, {
    validators: [{ hotkey: 'v', coldkey: ZERO_ACCOUNT, stake: '1', permit: true }],
    others: { m: null },
    owner_hotkey: null,
  });
});

test('an endpoint that leaves a key out, or answers for another block, is malformed', async () => {
  const hash = `0x${'ab'.repeat(32)}`;
  const answers: readonly unknown[] = [
    [{ block: hash, changes: [] }],
    [{ block: `0x${'cd'.repeat(32)}`, changes: [['0x01', null]] }],
    [],
    null,
    [{ block: hash, changes: [['0x01', 5]] }],
    [{ block: hash, changes: [['0x01']] }],
  ];
  for (const answer of answers) {
    await assert.rejects(
      readStorage({ call: async () => answer }, hash, ['0x01']),
      (error) => error instanceof ChainError && error.code === 'RPC_MALFORMED',
      JSON.stringify(answer),
    );
  }
});
