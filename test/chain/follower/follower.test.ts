import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChainError } from '../../../chain/errors.ts';
import { createFollower, type Follower } from '../../../chain/follower/index.ts';
import type { FinalizedHead } from '../../../chain/rpc/index.ts';
import { startTestChain, until } from '../devchain.ts';

const code = (expected: string) => (error: unknown) => error instanceof ChainError && error.code === expected;

/** Takes blocks until `count` are there; the iteration is left then. */
async function take(follower: Follower, count: number): Promise<FinalizedHead[]> {
  const taken: FinalizedHead[] = [];
  const stop = AbortSignal.timeout(10_000);
  for await (const head of follower.heads(stop)) {
    taken.push(head);
    if (taken.length === count) break;
  }
  return taken;
}

function checkUnbroken(heads: readonly FinalizedHead[], from: number, parent: string): void {
  let above = { height: from, hash: parent };
  for (const head of heads) {
    assert.equal(head.height, above.height + 1);
    assert.equal(head.parentHash, above.hash);
    above = head;
  }
}

test('every height is handed out once, whatever the subscription leaves out', async (t) => {
  const { dev, chain, produce, admin } = await startTestChain(t);
  const cursor = { height: 0, hash: dev.genesis };
  const follower = createFollower(chain, { cursor, pollMs: 60_000 });
  const taking = take(follower, 9);
  await until(() => follower.status().finalized === 0, 'the follower looks');
  await admin('dev_skipHeads', 8);
  produce(9);
  const heads = await taking;
  checkUnbroken(heads, 0, dev.genesis);
  assert.equal(follower.status().finalized, 9);
});

test('a silent subscription is made up for by asking', async (t) => {
  const { dev, chain, produce, admin } = await startTestChain(t);
  const follower = createFollower(chain, { cursor: { height: 0, hash: dev.genesis }, pollMs: 20 });
  await admin('dev_skipHeads', 10_000);
  produce(3);
  checkUnbroken(await take(follower, 3), 0, dev.genesis);
});

test('it goes on after dropped sockets, from the last block taken', async (t) => {
  const { dev, chain, produce, admin } = await startTestChain(t);
  const follower = createFollower(chain, { cursor: { height: 0, hash: dev.genesis }, pollMs: 60_000 });
  produce(2);
  const heads: FinalizedHead[] = [];
  for await (const head of follower.heads(AbortSignal.timeout(10_000))) {
    heads.push(head);
    if (head.height % 2 === 0 && head.height < 8) {
      const { connections } = chain.rpc.health();
      await admin('dev_dropSockets');
      produce(2);
      await until(() => chain.rpc.health().connections > connections, 'reconnected');
    }
    if (head.height === 8) break;
  }
  checkUnbroken(heads, 0, dev.genesis);
});

test('only what is finalized is handed out, and a block whose handling threw comes again', async (t) => {
  const { dev, chain, produce } = await startTestChain(t, { finality_lag: 3 });
  const follower = createFollower(chain, { cursor: { height: 0, hash: dev.genesis }, pollMs: 20 });
  produce(5);
  await assert.rejects(async () => {
    for await (const head of follower.heads(AbortSignal.timeout(10_000))) {
      if (head.height === 2) throw new Error('handling failed');
    }
  }, /handling failed/);
  const [again] = await take(follower, 1);
  assert.equal(again?.height, 2);
  assert.equal(follower.status().finalized, 2);
});

test('a cursor of another chain is FINALITY_CONFLICT', async (t) => {
  const { chain, produce } = await startTestChain(t);
  produce(3);
  const follower = createFollower(chain, { cursor: { height: 1, hash: `0x${'ab'.repeat(32)}` }, pollMs: 20 });
  await assert.rejects(take(follower, 1), (error) => {
    return code('FINALITY_CONFLICT')(error) && (error as ChainError).fault === 'operator';
  });
});

test('a cursor without hash takes the block above it', async (t) => {
  const { chain, produce } = await startTestChain(t);
  produce(3);
  const follower = createFollower(chain, { cursor: { height: 1, hash: null }, pollMs: 20 });
  assert.deepEqual(
    (await take(follower, 2)).map(({ height }) => height),
    [2, 3],
  );
});

test('another chain behind the same URL stops the follower with WRONG_GENESIS', async (t) => {
  const { dev, chain, produce, admin } = await startTestChain(t);
  produce(2);
  const follower = createFollower(chain, { cursor: { height: 0, hash: dev.genesis }, pollMs: 20 });
  await assert.rejects(async () => {
    for await (const head of follower.heads(AbortSignal.timeout(10_000))) {
      if (head.height < 2) continue;
      await admin('dev_switchGenesis');
      await admin('dev_dropSockets');
    }
  }, code('WRONG_GENESIS'));
});

test('another chain behind a socket that stays open is FINALITY_CONFLICT', async (t) => {
  const { dev, chain, produce, admin } = await startTestChain(t);
  produce(2);
  const follower = createFollower(chain, { cursor: { height: 0, hash: dev.genesis }, pollMs: 20 });
  await assert.rejects(async () => {
    for await (const head of follower.heads(AbortSignal.timeout(10_000))) {
      if (head.height < 2) continue;
      await admin('dev_switchGenesis');
      produce(4);
    }
  }, code('FINALITY_CONFLICT'));
});

test('stalled finality is reported while the best chain goes on, and so is its end', async (t) => {
  const { dev, chain, produce, admin } = await startTestChain(t);
  const seen: string[] = [];
  const follower = createFollower(
    chain,
    { cursor: { height: 0, hash: dev.genesis }, pollMs: 20, stallMs: 150 },
    { onStall: () => seen.push('stall'), onRecovered: () => seen.push('recovered') },
  );
  const taking = take(follower, 4);
  produce(1);
  await until(() => follower.status().finalized === 1, 'first block');
  await admin('dev_stallFinality', true);
  produce(2);
  await until(() => seen.includes('stall'), 'the stall is reported');
  assert.equal(follower.status().stalled, true);
  assert.equal(follower.status().finalized, 1);
  await admin('dev_stallFinality', false);
  produce(1);
  checkUnbroken(await taking, 0, dev.genesis);
  assert.equal(seen.at(-1), 'recovered');
  assert.equal(follower.status().stalled, false);
});

test('the watchdog also covers connecting', async (t) => {
  const { dev, chain, produce, stopChain } = await startTestChain(t);
  produce(1);
  const stalls: number[] = [];
  const follower = createFollower(
    chain,
    { cursor: { height: 0, hash: dev.genesis }, pollMs: 20, stallMs: 150 },
    { onStall: (quietMs) => stalls.push(quietMs) },
  );
  const stop = new AbortController();
  const following = (async () => {
    for await (const _ of follower.heads(stop.signal));
  })();
  await until(() => follower.status().finalized === 1, 'first block');
  await stopChain();
  await until(() => stalls.length >= 2, 'a stall is reported again and again without a connection');
  assert.equal(chain.rpc.health().endpoint, null);
  stop.abort(new Error('stopped'));
  await assert.rejects(following, /stopped/);
});
