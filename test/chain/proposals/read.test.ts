import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBeacon, readProposals } from '../../../chain/proposals/index.ts';
import { readStorage, stateReader } from '../../../chain/rpc/state.ts';
import { signExtrinsic } from '../../../chain/signer/extrinsic.ts';
import { loadHotkey } from '../../../chain/signer/hotkey.ts';
import { timelockEncrypt } from '../../../chain/timelock/index.ts';
import { NETUID, startTestChain, untilRevealed } from '../devchain.ts';

/** A block in which one hotkey reveals three fields of one commitment. */
async function revealing(t: Parameters<typeof startTestChain>[0], plaintexts: readonly Buffer[]) {
  const test = await startTestChain(t);
  const { chain, produce } = test;
  produce(1);
  const head = await chain.finalizedHead();
  const state = await chain.stateAt(head.hash);
  const beacon = await readBeacon(state);
  const revealRound = beacon.lastStoredRound + 1;
  const fields = plaintexts.map((plaintext) => {
    const request = { plaintext, round: revealRound, publicKey: beacon.publicKey };
    const encrypted = timelockEncrypt(request, { randomBytes: (length) => Buffer.alloc(length, 9) });
    return { TimelockEncrypted: { encrypted: `0x${Buffer.from(encrypted).toString('hex')}`, revealRound } };
  });
  const pair = await loadHotkey({ developmentUri: '//Miner0' });
  const { runtime } = state;
  const call = runtime.call('Commitments', 'set_commitment', [NETUID, { fields }]);
  const context = { runtime, genesisHash: chain.rpc.genesisHash, head, nonce: 0, eraBlocks: 64 };
  await chain.rpc.callOnce('author_submitExtrinsic', [signExtrinsic(call, pair, context).hex]);
  const { head: block } = await untilRevealed(test);
  return { chain, block, hotkey: pair.address };
}

test('the k-th event belongs to the k-th entry; bytes that are no text still count', async (t) => {
  const { chain, block, hotkey } = await revealing(t, [
    Buffer.from('first'),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('\x14third'),
  ]);
  const proposals = await readProposals({
    netuid: NETUID,
    height: block.height,
    events: await chain.eventsOf(block),
    state: await chain.stateAt(block.hash),
    parent: () => chain.stateAt(block.parentHash),
  });
  assert.deepEqual(
    proposals.map(({ hotkey: who, payload, event_subindex, committed }) => ({
      who,
      payload,
      event_subindex,
      committed,
    })),
    [
      { who: hotkey, payload: 'first', event_subindex: 0, committed: 2 },
      { who: hotkey, payload: 'third', event_subindex: 2, committed: 2 },
    ],
  );
});

test('events and entries that do not match are REVEAL_MISMATCH', async (t) => {
  const { chain, block, hotkey } = await revealing(t, [Buffer.from('a'), Buffer.from('b')]);
  const runtime = await chain.runtimeAt(block.hash);
  const key = runtime.storage('Commitments', 'RevealedCommitments').key([NETUID, hotkey]);
  const stored = (await readStorage(chain.rpc, block.hash, [key])).get(key) as string;
  assert.match(stored, /^0x08/);
  const events = await chain.eventsOf(block);
  /** The same block at an endpoint that shows other entries. */
  const read = async (value: string | null) => {
    const rpc = {
      call: async (method: string, params: readonly unknown[]) => {
        const answer = (await chain.rpc.call(method, params)) as { changes: [string, string | null][] }[];
        for (const { changes } of answer) for (const row of changes) if (row[0] === key) row[1] = value;
        return answer;
      },
    };
    const state = stateReader(rpc, block.hash, runtime);
    const parent = () => chain.stateAt(block.parentHash);
    return readProposals({ netuid: NETUID, height: block.height, events, state, parent });
  };
  assert.equal((await read(stored)).length, 2);
  const entry = stored.slice(4, 4 + (stored.length - 4) / 2);
  const changes = [`0x04${entry}`, `0x0c${entry.repeat(3)}`, '0x00', null];
  for (const value of changes) await assert.rejects(read(value), { code: 'REVEAL_MISMATCH' });
});
