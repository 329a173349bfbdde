import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ChainError } from '../../../chain/errors.ts';
import { createFollower } from '../../../chain/follower/index.ts';
import { consensusDigest, type FoldBlock, type FoldState, initialState } from '../../../evaluator/peer/index.ts';
import type { Applied, Applier } from '../../../node/run/apply/index.ts';
import { type FollowDependencies, followChain } from '../../../node/run/follow.ts';
import { Change } from '../../../node/run/waits.ts';
import { NETUID, startTestChain, type TestChain } from '../../chain/devchain.ts';
import { sampleConsensus } from '../../evaluator/peer/sample.ts';
import { digest } from '../../evaluator/peer/world.ts';

const LEDGER = { stack_digest: digest('stack'), journal_head: '', claims_digest: digest('claims') };

/** An applier that notes what it is given and says what a test tells it to. */
class Notes {
  readonly blocks: FoldBlock[] = [];
  /** Asked at every try; null applies. */
  answer: (block: FoldBlock) => Applied | null = () => null;
  state: FoldState;

  constructor(epochBlocks = 4) {
    const consensus = sampleConsensus({ activation_height: 1, netuid: NETUID, epoch_blocks: epochBlocks });
    this.state = initialState(consensus, LEDGER);
  }

  apply(block: FoldBlock): Applied {
    const answer = this.answer(block);
    if (answer !== null) return answer;
    this.blocks.push(block);
    this.state = { ...this.state, height: block.height };
    return { kind: 'applied', state: this.state, record: null, record_digest: null, events: [] };
  }
}

interface Following {
  readonly notes: Notes;
  readonly metagraphs: number[];
  readonly held: string[];
  readonly retries: string[];
  readonly change: Change;
  /** Resolves when so many blocks are applied. */
  applied(count: number): Promise<void>;
  readonly end: Promise<unknown>;
  stop(): Promise<void>;
}

function follow(t: TestContext, test: TestChain, notes: Notes, change: Partial<FollowDependencies> = {}): Following {
  const stop = new AbortController();
  const wake = new Change();
  const stepped = new Change();
  const metagraphs: number[] = [];
  const held: string[] = [];
  const retries: string[] = [];
  const end = followChain(
    {
      chain: test.chain,
      follower: createFollower(test.chain, { cursor: { height: 0, hash: test.dev.genesis }, pollMs: 20 }),
      applier: notes as unknown as Applier,
      netuid: NETUID,
      onMetagraph: (height) => metagraphs.push(height),
      onApplied: () => stepped.signal(),
      onHeldUp: (result) => held.push(result.kind),
      onRetry: (error) => retries.push(error.code),
      changed: () => wake.next(),
      // Never by itself: what wakes a held-up block here is a change.
      sleep: (_ms, signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
      ...change,
    },
    stop.signal,
  ).catch((error: unknown) => error);
  const finish = async (): Promise<void> => {
    stop.abort(new Error('stopped'));
    await end;
  };
  t.after(finish);
  return {
    notes,
    metagraphs,
    held,
    retries,
    change: wake,
    end,
    stop: finish,
    async applied(count) {
      while (notes.blocks.length < count) await stepped.next();
    },
  };
}

const quick = { sleep: () => Promise.resolve() };

test('every finalized block is applied once and in order, with the metagraph of epoch heights before it', async (t) => {
  const chain = await startTestChain(t);
  chain.produce(9);
  const following = follow(t, chain, new Notes());
  await following.applied(9);
  assert.deepEqual(
    following.notes.blocks.map(({ height }) => height),
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
  assert.deepEqual(following.metagraphs, [4, 8]);
  await following.stop();
  assert.match(String(await following.end), /stopped/);
});

test('a height at which another object may come to rule has its metagraph too', async (t) => {
  const chain = await startTestChain(t);
  chain.produce(3);
  const notes = new Notes(100);
  const row = { digest: consensusDigest(notes.state.consensus), activation_height: '3', anchored_at: 1 };
  notes.state = { ...notes.state, policy: [row] };
  const following = follow(t, chain, notes);
  await following.applied(3);
  assert.deepEqual(following.metagraphs, [3]);
});

test('a block that is held up is asked again after every change, and nothing is taken before it', async (t) => {
  const chain = await startTestChain(t);
  chain.produce(5);
  const notes = new Notes();
  let missing = 3;
  notes.answer = (block) =>
    block.height === 3 && missing > 0 ? { kind: 'waiting', state: notes.state, receipts: [digest('r')] } : null;
  const following = follow(t, chain, notes);
  await following.applied(2);
  while (missing > 0) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    missing--;
    following.change.signal();
  }
  await following.applied(5);
  assert.deepEqual(
    notes.blocks.map(({ height }) => height),
    [1, 2, 3, 4, 5],
  );
  assert.ok(following.held.length >= 1 && following.held.every((kind) => kind === 'waiting'));
});

test('a held-up block is asked again after a pause, without any change', async (t) => {
  const chain = await startTestChain(t);
  chain.produce(2);
  const notes = new Notes();
  let tries = 0;
  const unknown = { kind: 'consensus_unknown', digest: digest('next'), activation_height: 2 } as const;
  notes.answer = (block) => (block.height === 2 && tries++ < 3 ? unknown : null);
  const following = follow(t, chain, notes, quick);
  await following.applied(2);
  assert.deepEqual(following.held, ['consensus_unknown', 'consensus_unknown', 'consensus_unknown']);
});

/** The chain with the first reads of a height's state failing. */
function failing(chain: TestChain, error: ChainError, times: number): FollowDependencies['chain'] {
  let left = times;
  return Object.create(chain.chain, {
    eventsOf: {
      value: (...args: Parameters<typeof chain.chain.eventsOf>) => {
        if (left-- > 0) return Promise.reject(error);
        return chain.chain.eventsOf(...args);
      },
    },
  });
}

test('an infrastructure error of a read is retried, at another endpoint if there is one', async (t) => {
  const chain = await startTestChain(t);
  chain.produce(2);
  let rotations = 0;
  const reading = failing(chain, new ChainError('CALL_DEADLINE'), 3);
  Object.defineProperty(reading, 'rpc', {
    value: Object.create(chain.chain.rpc, { rotate: { value: () => rotations++ } }),
  });
  const following = follow(t, chain, new Notes(), { ...quick, chain: reading });
  await following.applied(2);
  assert.deepEqual(following.retries, ['CALL_DEADLINE', 'CALL_DEADLINE', 'CALL_DEADLINE']);
  assert.equal(rotations, 3);
});

test('an operator error of a read, an error of a step and a restart order end it, with the block not taken', async (t) => {
  const chain = await startTestChain(t);
  chain.produce(2);
  const unread = follow(t, chain, new Notes(), { chain: failing(chain, new ChainError('ARCHIVE_NEEDED'), 1) });
  assert.equal((await unread.end) instanceof ChainError, true);
  assert.deepEqual(unread.notes.blocks, []);

  const broken = new Notes();
  broken.answer = () => {
    throw new Error('a defect of ours');
  };
  assert.match(String(await follow(t, chain, broken).end), /defect of ours/);

  const restarting = new Notes();
  restarting.answer = () => ({ kind: 'restart', digest: digest('d'), record: digest('r'), activation_height: 2 });
  assert.match(String(await follow(t, chain, restarting).end), /RESTART_ORDERED|return to an earlier/);
});
