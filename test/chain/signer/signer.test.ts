import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { commitmentOf, singleRaw } from '../../../chain/anchors/index.ts';
import { readFoldBlock } from '../../../chain/block/index.ts';
import { ChainError } from '../../../chain/errors.ts';
import { type Chain, RemoteRefusal, type RpcClient } from '../../../chain/rpc/index.ts';
import {
  anchorCommitment,
  createSigner,
  loadHotkey,
  readCommitmentBudget,
  type Signer,
  type SubmitResult,
  serveAxon,
} from '../../../chain/signer/index.ts';
import { NETUID, startTestChain, until } from '../devchain.ts';

const bytes = (fill: number) => Buffer.alloc(35, fill);
const options = { netuid: NETUID };

/** The chain as seen through a socket that treats submissions in its own way. */
function through(chain: Chain, submit: (send: () => Promise<unknown>) => Promise<unknown>): Chain {
  const rpc: RpcClient = Object.create(chain.rpc, {
    callOnce: {
      value: (method: string, params: readonly unknown[]) => {
        const send = () => chain.rpc.callOnce(method, params);
        return method === 'author_submitExtrinsic' ? submit(send) : send();
      },
    },
    genesisHash: { get: () => chain.rpc.genesisHash },
    call: { value: chain.rpc.call.bind(chain.rpc) },
    onFinalized: { value: chain.rpc.onFinalized.bind(chain.rpc) },
    rotate: { value: () => {} },
  });
  return { ...chain, rpc };
}

async function nonceOf(chain: Chain, signer: Signer): Promise<unknown> {
  return chain.rpc.call('system_accountNextIndex', [signer.hotkey]);
}

const running = (t: TestContext) => startTestChain(t, { block_time_ms: 100, validators: 1, miners: 1 });

test('anchors sent at once go one after the other, each read back from finalized state', async (t) => {
  const { chain, signer: signerOf } = await running(t);
  const signer = await signerOf('//Validator0');
  const results = await Promise.all([1, 2, 3].map((fill) => anchorCommitment(chain, signer, bytes(fill), options)));
  const heights: number[] = [];
  for (const [i, result] of results.entries()) {
    assert.equal(result.kind, 'finalized');
    const { height, hash } = result as Extract<SubmitResult, { kind: 'finalized' }>;
    heights.push(height);
    const block = await readFoldBlock(chain, await chain.header(hash), { netuid: NETUID, withState: false });
    assert.deepEqual(block.anchors, [{ hotkey: signer.hotkey, payload: bytes(i + 1).toString('hex') }]);
  }
  assert.deepEqual(
    heights,
    [...new Set(heights)].sort((a, b) => a - b),
  );
  const head = await chain.finalizedHead();
  const where = { netuid: NETUID, hotkey: signer.hotkey, height: head.height };
  const budget = await readCommitmentBudget(await chain.stateAt(head.hash), where);
  assert.deepEqual(budget, { used: 300, max: 3100, anchorsLeft: 28, epochBlocks: 361 });
});

test('equal bytes are anchored again; after a crash the same floor finds what was sent', async (t) => {
  const { chain, signer: signerOf } = await running(t);
  const signer = await signerOf('//Validator0');
  const floor = (await chain.finalizedHead()).height;
  const first = await anchorCommitment(chain, signer, bytes(1), { ...options, after: floor });
  const nonce = await nonceOf(chain, signer);
  const resumed = await anchorCommitment(chain, signer, bytes(1), { ...options, after: floor });
  assert.equal(resumed.kind, 'finalized');
  assert.equal(await nonceOf(chain, signer), nonce, 'nothing was sent twice');
  const second = await anchorCommitment(chain, signer, bytes(1), options);
  assert.equal(second.kind, 'finalized');
  assert.ok((second as { height: number }).height > (first as { height: number }).height);
  assert.notEqual(await nonceOf(chain, signer), nonce);
});

test('a dispatch error is rejected by its name in the metadata', async (t) => {
  const { chain, signer: signerOf } = await running(t);
  const stranger = await signerOf('//Stranger');
  assert.deepEqual(await anchorCommitment(chain, stranger, bytes(1), options), {
    kind: 'rejected',
    error: 'commitments.AccountNotAllowedCommit',
    detail: '',
  });
});

test('an axon is served once; an invalid one is rejected', async (t) => {
  const { chain, signer: signerOf } = await running(t);
  const signer = await signerOf('//Validator0');
  const axon = { netuid: NETUID, version: 1, ip: 0x08080808n, ipType: 4, port: 9740, protocol: 0 } as const;
  assert.equal((await serveAxon(signer, axon)).kind, 'finalized');
  const nonce = await nonceOf(chain, signer);
  assert.equal((await serveAxon(signer, axon)).kind, 'finalized');
  assert.equal(await nonceOf(chain, signer), nonce);
  const bad = await serveAxon(await signerOf('//Miner0'), { ...axon, port: 0 });
  assert.deepEqual(bad, { kind: 'rejected', error: 'subtensorModule.InvalidPort', detail: '' });
});

test('success does not depend on the answer: a socket that breaks after sending', async (t) => {
  const { chain } = await running(t);
  const broken = through(chain, async (send) => {
    await send();
    throw new ChainError('TRANSPORT');
  });
  const signer = createSigner(broken, await loadHotkey({ developmentUri: '//Validator0' }), { pollMs: 50 });
  assert.equal((await anchorCommitment(broken, signer, bytes(1), options)).kind, 'finalized');
});

test('an extrinsic that is already in the pool is watched, other refusals are final', async (t) => {
  const { chain } = await running(t);
  const pair = await loadHotkey({ developmentUri: '//Validator0' });
  const refusing = (code: number, first: boolean) =>
    through(chain, async (send) => {
      if (first) await send();
      throw new RemoteRefusal('RPC_REFUSED', 'author_submitExtrinsic', { code, message: 'refused', data: 'because' });
    });
  const known = refusing(1013, true);
  const watched = await anchorCommitment(known, createSigner(known, pair, { pollMs: 50 }), bytes(1), options);
  assert.equal(watched.kind, 'finalized');
  const low = refusing(1014, false);
  const signer = createSigner(low, pair, { pollMs: 50 });
  assert.deepEqual(await anchorCommitment(low, signer, bytes(2), options), {
    kind: 'rejected',
    error: 'pool.1014',
    detail: 'because',
  });
});

test('an extrinsic that gets lost is known to be lost when its era is over', async (t) => {
  const { chain, produce } = await startTestChain(t, { validators: 1, miners: 0 });
  let swallowed = 0;
  const losing = through(chain, async () => {
    swallowed += 1;
    return `0x${'00'.repeat(32)}`;
  });
  const pair = await loadHotkey({ developmentUri: '//Validator0' });
  const signer = createSigner(losing, pair, { pollMs: 20, eraBlocks: 4 });
  produce(1);
  const answer = anchorCommitment(losing, signer, bytes(1), options);
  await until(() => swallowed === 1, 'it is sent');
  produce(4);
  const result = await answer;
  assert.equal(result.kind, 'unknown');
  assert.equal((result as { reason: string }).reason, 'expired');
});

test('after a missed deadline the next submission waits for the first extrinsic', async (t) => {
  const { chain, produce } = await startTestChain(t, { validators: 1, miners: 0 });
  const pair = await loadHotkey({ developmentUri: '//Validator0' });
  const signer = createSigner(chain, pair, { pollMs: 20 });
  produce(1);
  const pending = async () => ((await chain.rpc.call('author_pendingExtrinsics', [])) as unknown[]).length;
  const first = await anchorCommitment(chain, signer, bytes(1), { ...options, after: 1, deadlineMs: 400 });
  assert.equal(first.kind, 'unknown');
  assert.equal((first as { reason: string }).reason, 'pending');
  assert.equal(await pending(), 1);
  const second = anchorCommitment(chain, signer, bytes(2), { ...options, after: 1 });
  const seen: number[] = [];
  let settled = false;
  second.finally(() => {
    settled = true;
  });
  while (!settled) {
    seen.push(await pending());
    if (seen.length % 5 === 0) produce(1);
  }
  assert.ok(Math.max(...seen) === 1, 'never two in the pool');
  assert.equal((await second).kind, 'finalized');
  const value = await (await chain.stateAt((await chain.finalizedHead()).hash)).get('Commitments', 'CommitmentOf', [
    NETUID,
    signer.hotkey,
  ]);
  assert.deepEqual(Buffer.from(singleRaw(commitmentOf(value)) ?? []), bytes(2));
});

test('inclusion without the effect is not success', async (t) => {
  const { signer: signerOf } = await running(t);
  const signer = await signerOf('//Validator0');
  const result = await signer.submit({
    call: (runtime) => runtime.call('Commitments', 'set_commitment', [NETUID, { fields: [] }]),
    confirmed: async () => false,
  });
  assert.equal(result.kind, 'unknown');
  assert.equal((result as { reason: string }).reason, 'no_effect');
});

test('a caller can leave, before and while it is served', async (t) => {
  const { chain, produce, signer: signerOf } = await startTestChain(t, { validators: 1, miners: 0 });
  const signer = await signerOf('//Validator0');
  produce(1);
  const first = new AbortController();
  const second = new AbortController();
  const serving = anchorCommitment(chain, signer, bytes(1), { ...options, signal: first.signal });
  const waiting = anchorCommitment(chain, signer, bytes(2), { ...options, signal: second.signal });
  const why = new Error('leaving');
  second.abort(why);
  await assert.rejects(waiting, why);
  first.abort(why);
  await assert.rejects(serving, why);
});

test('sizes are checked before anything is signed', async (t) => {
  const { chain, signer: signerOf } = await startTestChain(t, { validators: 1, miners: 0 });
  const signer = await signerOf('//Validator0');
  for (const length of [0, 129]) {
    await assert.rejects(anchorCommitment(chain, signer, Buffer.alloc(length), options), { code: 'COMMITMENT_SIZE' });
  }
});
