import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFollower } from '../../../chain/follower/index.ts';
import { loadHotkey, type Signer } from '../../../chain/signer/index.ts';
import {
  MemoryWeightsJournal,
  type WeightsJournalStore,
  WeightsPublisher,
  type WeightsRow,
  type WeightsTarget,
} from '../../../chain/weights/index.ts';
import { readWeightsView } from '../../../chain/weights/view.ts';
import { NETUID, startTestChain, type TestChain } from '../devchain.ts';

const MINER_UID = 3;

/** The miner gets everything. */
async function targetAt(epochHeight: number, change: Partial<WeightsTarget> = {}): Promise<WeightsTarget> {
  const { address } = await loadHotkey({ developmentUri: '//Miner0' });
  return { epoch_height: epochHeight, uids: [MINER_UID], values: [65_535], hotkeys: [address], ...change };
}

/** A signer that counts what is signed, as calls. */
function counting(signer: Signer, signed: string[]): Signer {
  return {
    hotkey: signer.hotkey,
    sign: (message) => signer.sign(message),
    submit: (submission) =>
      signer.submit({
        ...submission,
        call: (runtime) => {
          const call = submission.call(runtime);
          signed.push(call.toHex());
          return call;
        },
      }),
  };
}

interface Publishing {
  readonly publisher: WeightsPublisher;
  readonly signed: string[];
}

async function publishing({ chain, signer }: TestChain, store: WeightsJournalStore): Promise<Publishing> {
  const signed: string[] = [];
  const dependencies = { chain, signer: counting(await signer('//Validator0'), signed), store };
  return { publisher: new WeightsPublisher({ netuid: NETUID }, dependencies), signed };
}

async function storedWeights({ chain }: TestChain) {
  const head = await chain.finalizedHead();
  const { address: hotkey } = await loadHotkey({ developmentUri: '//Validator0' });
  const where = { netuid: NETUID, hotkey, height: head.height, uids: [MINER_UID] };
  return readWeightsView(await chain.stateAt(head.hash), where);
}

/** Waits until the chain has finalized a height. */
async function finalizedAt({ chain }: TestChain, height: number, signal: AbortSignal): Promise<void> {
  const cursor = await chain.finalizedHead(signal);
  if (cursor.height >= height) return;
  for await (const head of createFollower(chain, { cursor, pollMs: 50 }).heads(signal))
    if (head.height >= height) return;
}

const RUNNING = { block_time_ms: 100, validators: 2, miners: 2 } as const;

test('published, confirmed from finalized state, and then done', async (t) => {
  const test = await startTestChain(t, RUNNING);
  const store = new MemoryWeightsJournal();
  const { publisher, signed } = await publishing(test, store);
  const target = await targetAt(20);
  const { row, againAtHeight } = await publisher.advance(target);
  assert.equal(row.state, 'confirmed');
  assert.equal(againAtHeight, null);
  const view = await storedWeights(test);
  assert.deepEqual(view.stored, { uids: [MINER_UID], values: [65_535] });
  assert.ok(view.lastUpdate >= row.intent_height);
  assert.deepEqual(store.load(20), row);
  await publisher.advance(target);
  assert.equal(signed.length, 1);
  await assert.rejects(publisher.advance(await targetAt(20, { hotkeys: ['other'] })), { code: 'WEIGHTS_CONFLICT' });
  await assert.rejects(publisher.advance(await targetAt(10)), { code: 'WEIGHTS_STALE' });
});

/** Loses the process right before or right after a given save. */
class CrashingJournal implements WeightsJournalStore {
  readonly #inner: WeightsJournalStore;
  readonly #save: number;
  readonly #kept: boolean;
  #saves = 0;

  constructor(inner: WeightsJournalStore, save: number, kept: boolean) {
    this.#inner = inner;
    this.#save = save;
    this.#kept = kept;
  }

  load(epochHeight: number): WeightsRow | null {
    return this.#inner.load(epochHeight);
  }

  latest(): WeightsRow | null {
    return this.#inner.latest();
  }

  save(row: WeightsRow): void {
    this.#saves += 1;
    const dies = this.#saves === this.#save;
    if (!dies || this.#kept) this.#inner.save(row);
    if (dies) throw new Error('killed');
  }
}

test('killed before or after any write, it goes on and never signs another vector for the height', async (t) => {
  const test = await startTestChain(t, { ...RUNNING, genesis: { weights_rate_limit: 0 } });
  let epoch = 0;
  for (const save of [1, 2, 3]) {
    for (const kept of [false, true]) {
      epoch += 20;
      const durable = new MemoryWeightsJournal();
      const target = await targetAt(epoch);
      const before = await publishing(test, new CrashingJournal(durable, save, kept));
      await assert.rejects(before.publisher.advance(target), /killed/, `save ${save}`);
      const after = await publishing(test, durable);
      if (durable.load(epoch) !== null) {
        const other = await targetAt(epoch, { uids: [MINER_UID + 1] });
        await assert.rejects(after.publisher.advance(other), { code: 'WEIGHTS_CONFLICT' });
      }
      let state = durable.load(epoch)?.state;
      // A lost extrinsic is known to be lost only when its era is over, so blocks have to pass.
      const deadline = AbortSignal.timeout(60_000);
      while (state !== 'confirmed' && !deadline.aborted) {
        const { row, againAtHeight } = await after.publisher.advance(target);
        state = row.state;
        if (againAtHeight !== null) await finalizedAt(test, againAtHeight, deadline);
      }
      assert.equal(state, 'confirmed', `save ${save}, kept ${kept}`);
      const calls = new Set([...before.signed, ...after.signed]);
      assert.equal(calls.size, 1, 'one vector');
      assert.deepEqual((await storedWeights(test)).stored, { uids: [MINER_UID], values: [65_535] });
    }
  }
});

test('the rate limit is waited out, not run into', async (t) => {
  const test = await startTestChain(t, { ...RUNNING, genesis: { weights_rate_limit: 1000 } });
  const store = new MemoryWeightsJournal();
  const { publisher, signed } = await publishing(test, store);
  const first = (await publisher.advance(await targetAt(20))).row;
  const { row, againAtHeight } = await publisher.advance(await targetAt(40));
  assert.equal(row.state, 'intent');
  const { lastUpdate } = await storedWeights(test);
  assert.ok(lastUpdate >= first.intent_height);
  assert.equal(againAtHeight, lastUpdate + 999);
  assert.equal(signed.length, 1);
});

test('commit-reveal on the chain is refused before anything is signed', async (t) => {
  const test = await startTestChain(t, { ...RUNNING, genesis: { commit_reveal_weights: true } });
  const store = new MemoryWeightsJournal();
  const { publisher, signed } = await publishing(test, store);
  await assert.rejects(publisher.advance(await targetAt(20)), { code: 'WEIGHTS_COMMIT_REVEAL' });
  assert.equal(signed.length, 0);
  assert.equal(store.latest(), null);
});

test('a uid that another hotkey has by now is held, not paid', async (t) => {
  const test = await startTestChain(t, { ...RUNNING, block_time_ms: 0 });
  const { publisher, signed } = await publishing(test, new MemoryWeightsJournal());
  const target = await targetAt(20);
  await test.admin('dev_setRegistered', target.hotkeys[0], false);
  test.produce(1);
  const { row } = await publisher.advance(target);
  assert.deepEqual([row.state, row.reason], ['held', 'uid_reassigned']);
  assert.equal(signed.length, 0);
});

test('the chain refusing is no success: the row goes back and keeps the reason', async (t) => {
  const test = await startTestChain(t, RUNNING);
  const store = new MemoryWeightsJournal();
  await test.admin('dev_setPermit', (await test.signer('//Validator0')).hotkey, false);
  const { publisher } = await publishing(test, store);
  const { row, againAtHeight } = await publisher.advance(await targetAt(20));
  assert.deepEqual([row.state, row.reason], ['intent', 'subtensorModule.NeuronNoValidatorPermit']);
  assert.equal(againAtHeight, row.retry_height);
});
