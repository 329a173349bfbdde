import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFoldBlock } from '../../../chain/block/index.ts';
import { readBeacon } from '../../../chain/proposals/index.ts';
import { signExtrinsic } from '../../../chain/signer/extrinsic.ts';
import { loadHotkey } from '../../../chain/signer/hotkey.ts';
import { commitProposal } from '../../../chain/signer/index.ts';
import { NETUID, startTestChain, type TestChain, untilRevealed } from '../devchain.ts';

/** Puts commitments of one hotkey into the pool, with nonces that follow on. */
async function submit({ chain }: TestChain, uri: string, fields: readonly (readonly unknown[])[], netuid = NETUID) {
  const pair = await loadHotkey({ developmentUri: uri });
  const head = await chain.finalizedHead();
  const runtime = await chain.runtimeAt(head.hash);
  const first = Number(await chain.rpc.call('system_accountNextIndex', [pair.address]));
  for (const [i, each] of fields.entries()) {
    const call = runtime.call('Commitments', 'set_commitment', [netuid, { fields: each }]);
    const context = { runtime, genesisHash: chain.rpc.genesisHash, head, nonce: first + i, eraBlocks: 64 };
    await chain.rpc.callOnce('author_submitExtrinsic', [signExtrinsic(call, pair, context).hex]);
  }
  return pair.address;
}

const raw = (text: string) => ({ [`Raw${text.length}`]: `0x${Buffer.from(text).toString('hex')}` });
const hex = (text: string) => Buffer.from(text).toString('hex');

test('anchors: in event order, the last of a hotkey only, exactly one Raw field', async (t) => {
  const chain = await startTestChain(t, { validators: 4 });
  chain.produce(1);
  const first = await submit(chain, '//Validator0', [[raw('early')], [raw('late')]]);
  const second = await submit(chain, '//Validator1', [[raw('one')]]);
  await submit(chain, '//Validator2', [[raw('good')], [raw('two'), raw('fields')]]);
  await submit(chain, '//Validator3', [[{ BigRaw: '0xaabb' }]]);
  await submit(chain, '//Validator3', [[raw('unregistered subnet')]], 9);
  const head = await chain.chain.header(chain.produce(1));
  const block = await readFoldBlock(chain.chain, head, { netuid: NETUID, withState: false });
  assert.equal(block.height, 2);
  assert.equal(block.hash, head.hash);
  assert.equal(block.state, null);
  assert.deepEqual(block.proposals, []);
  assert.deepEqual(
    new Set(block.anchors.map(({ hotkey, payload }) => `${hotkey} ${payload}`)),
    new Set([`${first} ${hex('late')}`, `${second} ${hex('one')}`]),
  );
  const events = await chain.chain.eventsOf(head);
  const authors = events.filter(({ event }) => event.method === 'Commitment').map(({ event }) => String(event.data[1]));
  const order = [...new Set(authors.toReversed())].toReversed().filter((who) => who === first || who === second);
  assert.deepEqual(
    block.anchors.map(({ hotkey }) => hotkey),
    order,
  );
  const next = await chain.chain.header(chain.produce(1));
  const after = await readFoldBlock(chain.chain, next, { netuid: NETUID, withState: false });
  assert.deepEqual(after.anchors, [], 'a value without an event in its block is no anchor');
});

test('another subnet sees nothing of ours', async (t) => {
  const chain = await startTestChain(t);
  chain.produce(1);
  await submit(chain, '//Validator0', [[raw('ours')]]);
  const head = await chain.chain.header(chain.produce(1));
  const block = await readFoldBlock(chain.chain, head, { netuid: NETUID + 1, withState: false });
  assert.deepEqual(block.anchors, []);
});

test('proposals: revealed text, position, and the block of the commitment before', async (t) => {
  const chain = await startTestChain(t);
  const { chain: client, produce } = chain;
  produce(1);
  const beacon = await readBeacon(await client.stateAt((await client.finalizedHead()).hash));
  const revealRound = beacon.lastStoredRound + 2;
  const bytes = (length: number) => Buffer.alloc(length, 7);
  const committing = async (uri: string, payload: string) => {
    const signer = await chain.signer(uri);
    const options = { netuid: NETUID };
    const proposal = { payload, revealRound, beaconKey: beacon.publicKey };
    const done = commitProposal(client, signer, proposal, options, { randomBytes: bytes });
    while (((await client.rpc.call('author_pendingExtrinsics', [])) as unknown[]).length === 0);
    produce(1);
    assert.equal((await done).kind, 'finalized');
    return signer.hotkey;
  };
  const miner0 = await committing('//Miner0', '{"v":1}');
  const miner1 = await committing('//Miner1', 'grüße');
  const { head } = await untilRevealed(chain);
  const block = await readFoldBlock(client, head, { netuid: NETUID, withState: false });
  const revealed = [...block.proposals].sort((a, b) => (a.committed as number) - (b.committed as number));
  assert.deepEqual(
    revealed.map(({ hotkey, committed, payload, event_subindex }) => ({ hotkey, committed, payload, event_subindex })),
    [
      { hotkey: miner0, committed: 2, payload: '{"v":1}', event_subindex: 0 },
      { hotkey: miner1, committed: 3, payload: 'grüße', event_subindex: 0 },
    ],
  );
  const indices = block.proposals.map(({ event_index }) => event_index);
  assert.ok(indices.every((index, i) => index > (indices[i - 1] ?? -1)));
  const events = await client.eventsOf(head);
  for (const { event_index, hotkey } of block.proposals) {
    const event = events[event_index]?.event;
    assert.equal(event?.method, 'CommitmentRevealed');
    assert.equal(String(event?.data[1]), hotkey);
  }
  assert.deepEqual(block.anchors, [], 'a reveal is no anchor');
});

test('the state is read at the block asked for, and only if asked', async (t) => {
  const { chain, produce, admin, signer } = await startTestChain(t, { validators: 2, miners: 1 });
  const hotkey = (await signer('//Validator0')).hotkey;
  const before = await chain.header(produce(1));
  await admin('dev_setStake', hotkey, '12345678901234567890');
  await admin('dev_setPermit', (await signer('//Validator1')).hotkey, false);
  const after = await chain.header(produce(1));
  const read = async (head: typeof before) =>
    (await readFoldBlock(chain, head, { netuid: NETUID, withState: true })).state;
  assert.equal((await read(before))?.validators.length, 2);
  const state = await read(after);
  assert.deepEqual(
    state?.validators.map(({ hotkey, stake, permit }) => ({ hotkey, stake, permit })),
    [{ hotkey, stake: '12345678901234567890', permit: true }],
  );
  assert.equal(Object.keys(state?.others ?? {}).length, 3);
  assert.equal(state?.owner_hotkey, (await signer('//Owner')).hotkey);
});

test('pruned state is ARCHIVE_NEEDED', async (t) => {
  const { chain, produce } = await startTestChain(t, { state_blocks_kept: 2 });
  const old = await chain.header(produce(1));
  produce(5);
  await assert.rejects(readFoldBlock(chain, old, { netuid: NETUID, withState: true }), { code: 'ARCHIVE_NEEDED' });
});
