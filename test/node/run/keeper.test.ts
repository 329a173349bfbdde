import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Anchor, decodeAnchor } from '../../../evaluator/peer/index.ts';
import type { Ledger } from '../../../evaluator/settle/index.ts';
import { Keeper, type KeeperDependencies } from '../../../node/run/keeper.ts';
import type { Tasks } from '../../../node/run/tasks.ts';
import type { Store } from '../../../node/store/index.ts';
import { anchorOf, digest, key, World } from '../../evaluator/peer/world.ts';
import { temporaryStore } from '../store/support.ts';

const LEDGER = { manifest: {}, tree_digest: digest('tree') } as unknown as Ledger;

/** Tasks that start and stay, so that a test sees what was started and runs what it wants. */
class Started {
  readonly work = new Map<string, (signal: AbortSignal) => Promise<void>>();
  readonly cancelled: string[] = [];
  /** In order, of this look. */
  keys: string[] = [];

  start(name: string, work: (signal: AbortSignal) => Promise<void>): boolean {
    if (this.work.has(name)) return false;
    this.work.set(name, work);
    this.keys.push(name);
    return true;
  }

  running(): string[] {
    return [...this.work.keys()];
  }

  cancel(name: string): void {
    this.cancelled.push(name);
    this.work.delete(name);
  }

  /** Runs a started task to its end. */
  async run(name: string): Promise<void> {
    const work = this.work.get(name);
    assert.ok(work, `${name} was not started`);
    this.work.delete(name);
    await work(new AbortController().signal);
  }
}

interface Anchored {
  readonly anchor: Anchor | null;
  readonly after: number;
}

interface Node {
  /** Anchors left in the budget. */
  left: number | null;
  readonly store: Store;
  readonly tasks: Started;
  readonly anchored: Anchored[];
  readonly announced: string[];
  /** Keys that one look starts. */
  look(world: World, height?: number): string[];
}

function node(store: Store, hotkey: string, capacity = 4): Node {
  const tasks = new Started();
  const anchored: Anchored[] = [];
  const announced: string[] = [];
  const keeper = new Keeper({ hotkey, capacity: () => capacity }, {
    store,
    tasks: tasks as unknown as Tasks,
    anchor: async (bytes: Uint8Array, after: number) => {
      anchored.push({ anchor: decodeAnchor(bytes), after });
    },
    announce: async (receipt: string) => {
      announced.push(receipt);
    },
    anchorsLeft: () => made.left,
    tell: () => undefined,
  } as unknown as KeeperDependencies);
  const made: Node = {
    left: null,
    store,
    tasks,
    anchored,
    announced,
    look(world, height = world.state.height) {
      tasks.keys = [];
      keeper.look(world.state, LEDGER, height);
      return tasks.keys;
    },
  };
  return made;
}

/** A world with an open cohort of one member, and the validator drawn for a place of it. */
function drawn(place = 0, change: ConstructorParameters<typeof World>[0] = {}): { world: World; hotkey: string } {
  const world = new World({ show_blocks: 40, measure_blocks: 100, ...change });
  const cohort = world.openCohort();
  return { world, hotkey: cohort.members[0]?.sides[place]?.hotkey as string };
}

const nodeOf = (t: TestContext, hotkey: string): Node => node(temporaryStore(t).store, hotkey);

function planAttempt({ store }: Node, place = 0, name = `attempt 0 ${place}`): void {
  store.attempts.plan({
    cohort_index: 0,
    place,
    attempt_digest: digest(name),
    attempt: { plan_digest: null },
    secret: digest('secret'),
    plan: null,
  });
}

/** Steps until every attempt's seed is there. */
function toSeed(world: World): void {
  for (let i = 0; i < world.state.consensus.lag_blocks; i++) world.step();
}

test('a node without a standing row says that it is ready, again near the end of the row, and otherwise not', async (t) => {
  const world = new World({ ready_blocks: 80 });
  const own = nodeOf(t, key(1));
  assert.deepEqual(own.look(world), ['anchor:ready']);
  await own.tasks.run('anchor:ready');
  assert.deepEqual(own.anchored[0], {
    anchor: { kind: 'ready', arena_digest: world.consensus.arena_digest, capacity: 4 },
    after: world.state.height,
  });
  world.allReady();
  const anchoredAt = world.state.height;
  assert.deepEqual(own.look(world), []);
  world.stepTo(anchoredAt + 69);
  assert.deepEqual(own.look(world), []);
  assert.deepEqual(own.look(world, anchoredAt + 70), ['anchor:ready'], 'by the head, if the fold waits below it');
  await own.tasks.run('anchor:ready');
  assert.equal(own.anchored[1]?.after, anchoredAt, 'an equal anchor from before does not count');
});

test('a node that follows only needs no row; one that had one takes it back', (t) => {
  const world = new World();
  const store = temporaryStore(t).store;
  assert.deepEqual(node(store, key(1), 0).look(world), []);
  world.allReady();
  assert.deepEqual(node(store, key(1), 0).look(world), ['anchor:ready']);
});

test('a drawn place is prepared once, then its attempt is anchored, after a restart too', async (t) => {
  const { world, hotkey } = drawn();
  const own = nodeOf(t, hotkey);
  assert.deepEqual(own.look(world), ['prepare:0:0']);
  assert.deepEqual(own.look(world), [], 'nothing twice');
  assert.deepEqual(node(own.store, hotkey).look(world), ['prepare:0:0'], 'a restart derives the same');
  planAttempt(own);
  own.tasks.work.clear();
  assert.deepEqual(own.look(world), ['anchor:attempt:0:0']);
  assert.deepEqual(node(own.store, hotkey).look(world), ['anchor:attempt:0:0']);
  await own.tasks.run('anchor:attempt:0:0');
  assert.deepEqual(own.anchored, [
    {
      anchor: { kind: 'attempt', cohort_index: 0, place: 0, digest: digest('attempt 0 0') },
      after: world.cohort().assignment_block,
    },
  ]);
});

test('at the last call waiting for a bundle ends, and what is held is planned under another key', (t) => {
  const { world, hotkey } = drawn();
  const own = nodeOf(t, hotkey);
  own.look(world);
  const lastCall = world.cohort().assignment_block + 40 - 12;
  world.stepTo(lastCall - 1);
  assert.deepEqual(own.look(world), []);
  assert.deepEqual(own.tasks.cancelled, []);
  world.stepTo(lastCall);
  assert.deepEqual(own.look(world), ['prepare-held:0:0']);
  assert.deepEqual(own.tasks.cancelled, ['prepare:0:0']);
  assert.deepEqual(own.look(world), []);
});

test('an attempt that could only be too late is not anchored, and a missed place is abandoned for good', (t) => {
  const { world, hotkey } = drawn();
  const own = nodeOf(t, hotkey);
  planAttempt(own);
  const deadline = world.cohort().assignment_block + 40;
  world.stepTo(deadline - 1);
  assert.deepEqual(own.look(world, deadline), [], 'it would land above the deadline');
  assert.equal(own.store.attempts.get(0, 0)?.stage, 'planned', 'one under way may still count');
  assert.deepEqual(own.look(world), ['anchor:attempt:0:0']);
  own.tasks.work.clear();
  // Nobody showed: the cohort opens, and the place is missed.
  world.stepTo(deadline);
  own.look(world);
  assert.equal(own.store.attempts.get(0, 0)?.stage, 'abandoned');
  own.look(world);
});

test('a measurement starts when the seed is there, one at a time, and never under another attempt', (t) => {
  const { world, hotkey } = drawn();
  const own = nodeOf(t, hotkey);
  planAttempt(own);
  world.anchorAll('attempt');
  assert.deepEqual(own.look(world), []);
  assert.equal(own.store.attempts.get(0, 0)?.stage, 'anchored');
  toSeed(world);
  assert.deepEqual(own.look(world), ['measure:0:0']);
  assert.deepEqual(own.look(world), []);
  assert.deepEqual(node(own.store, hotkey).look(world), ['measure:0:0'], 'a restart measures again');

  const foreign = nodeOf(t, hotkey);
  planAttempt(foreign, 0, 'attempt of another data directory');
  assert.deepEqual(foreign.look(world), [], 'the chain counts another attempt: its secret is not here');
  assert.deepEqual(nodeOf(t, hotkey).look(world), [], 'nor without any');

  const busy = node(own.store, hotkey);
  busy.tasks.start('measure:0:7', async () => undefined);
  busy.tasks.cancel = () => undefined;
  assert.deepEqual(busy.look(world), []);
});

test('a measured place anchors its receipt, and is done when the chain counts it', async (t) => {
  const { world, hotkey } = drawn();
  const own = nodeOf(t, hotkey);
  planAttempt(own);
  world.anchorAll('attempt');
  toSeed(world);
  own.look(world);
  own.tasks.work.clear();
  own.store.attempts.measured(0, 0, digest('receipt 0 0'), digest('root'));
  assert.deepEqual(own.look(world), ['anchor:receipt:0:0']);
  assert.deepEqual(node(own.store, hotkey).look(world), ['anchor:receipt:0:0']);
  await own.tasks.run('anchor:receipt:0:0');
  const attemptHeight = world.cohort().members[0]?.sides[0].attempt?.height ?? 0;
  assert.deepEqual(own.anchored, [
    {
      anchor: { kind: 'receipt', cohort_index: 0, place: 0, digest: digest('receipt 0 0') },
      after: attemptHeight + world.consensus.lag_blocks,
    },
  ]);
  // Only this side's receipt, so that the cohort stays in measuring.
  world.step({
    anchors: [anchorOf(hotkey, { kind: 'receipt', cohort_index: 0, place: 0, digest: digest('receipt 0 0') })],
  });
  assert.equal(world.state.phase.kind, 'measuring');
  assert.deepEqual(own.look(world), ['grade:0:0'], 'its own result is graded before the opening');
  assert.equal(own.store.attempts.get(0, 0)?.stage, 'received');
  assert.deepEqual(own.announced, [], 'and not announced');
});

test('a measurement that can count no more is ended, and its late receipt changes nothing', (t) => {
  const { world, hotkey } = drawn();
  const own = nodeOf(t, hotkey);
  planAttempt(own);
  world.anchorAll('attempt');
  toSeed(world);
  own.look(world);
  const deadline = world.cohort().assignment_block + 100;
  world.stepTo(deadline - 1);
  assert.deepEqual(own.look(world, deadline), [], 'no receipt could be anchored in time');
  assert.deepEqual(own.tasks.cancelled, []);
  world.stepTo(deadline);
  own.look(world);
  assert.deepEqual(own.tasks.cancelled, ['measure:0:0']);
  assert.equal(own.store.attempts.get(0, 0)?.stage, 'abandoned');
  assert.throws(() => own.store.attempts.measured(0, 0, digest('late'), digest('root')), {
    code: 'TRANSITION_REFUSED',
  });
  own.look(world);
});

/** A cohort whose two results are shown. */
function opened(change: ConstructorParameters<typeof World>[0] = {}): { world: World; hotkey: string } {
  const { world, hotkey } = drawn(0, { ballot_blocks: 10, ...change });
  world.anchorAll('attempt');
  toSeed(world);
  world.step();
  world.anchorAll('receipt');
  assert.equal(world.state.phase.kind, 'ballots');
  return { world, hotkey };
}

function putGrading(store: Store, place: number): void {
  store.gradings.put({
    cohort_index: 0,
    place,
    receipt_digest: digest(`receipt 0 ${place}`),
    graded: {
      result: 'FAIL',
      speedup: null,
      target_id: null,
      members: [],
      selected_delta_digest: null,
      candidate_stack_digest: null,
    },
    reason: 'too_slow',
    qualification: null,
  });
}

test('after the opening every result is graded once, own ones are announced once, and a complete ballot goes out', async (t) => {
  const { world, hotkey } = opened();
  const own = nodeOf(t, hotkey);
  assert.deepEqual(own.look(world).sort(), ['announce:0:0', 'grade:0:0', 'grade:0:1']);
  await own.tasks.run('announce:0:0');
  assert.deepEqual(own.look(world), [], 'announced once, graded once at a time');
  assert.deepEqual(own.announced, [digest('receipt 0 0')]);
  own.tasks.work.clear();
  putGrading(own.store, 0);
  assert.deepEqual(own.look(world), ['grade:0:1'], 'no ballot while a result may still come');
  putGrading(own.store, 1);
  own.tasks.work.clear();
  assert.deepEqual(own.look(world), ['anchor:ballot:0']);
  await own.tasks.run('anchor:ballot:0');
  const { opening_height } = world.state.phase as { opening_height: number };
  assert.deepEqual(own.anchored, [
    { anchor: { kind: 'ballot', cohort_index: 0, bitmap: 3n, previous: '0'.repeat(64) }, after: opening_height },
  ]);
  world.ballots([hotkey]);
  assert.deepEqual(own.look(world), [], 'what a counted ballot names is not named again');
});

test('an observer grades and votes too, and announces nothing', (t) => {
  const { world } = opened();
  const sides = world.cohort().members[0]?.sides.map((side) => side.hotkey) ?? [];
  const observer = world.hotkeys().find((hotkey) => !sides.includes(hotkey)) as string;
  assert.deepEqual(nodeOf(t, observer).look(world).sort(), ['grade:0:0', 'grade:0:1']);
});

test('near the close an incomplete ballot goes out', (t) => {
  const { world, hotkey } = opened();
  const own = nodeOf(t, hotkey);
  putGrading(own.store, 1);
  const { opening_height } = world.state.phase as { opening_height: number };
  world.stepTo(opening_height + 6);
  assert.ok(own.look(world).includes('anchor:ballot:0'));
});

test('while the fold waits at a close the head is beyond it: bytes are fetched, nothing is anchored', (t) => {
  const { world, hotkey } = opened();
  const own = nodeOf(t, hotkey);
  world.ballots(world.hotkeys());
  const { opening_height } = world.state.phase as { opening_height: number };
  world.stepTo(opening_height + 9);
  assert.equal(world.step().kind, 'waiting');
  putGrading(own.store, 0);
  assert.deepEqual(own.look(world, opening_height + 50).sort(), ['announce:0:0', 'grade:0:1']);
});

test('a state that is idle starts nothing of an older cohort, and ends what still runs of it', (t) => {
  const { world, hotkey } = opened();
  const own = nodeOf(t, hotkey);
  own.tasks.start('measure:0:0', async () => undefined);
  own.tasks.start('prepare:0:1', async () => undefined);
  const { opening_height } = world.state.phase as { opening_height: number };
  world.stepTo(opening_height + 10);
  assert.notEqual(world.state.phase.kind, 'ballots');
  assert.deepEqual(own.look(world), []);
  assert.deepEqual(own.tasks.cancelled, ['measure:0:0', 'prepare:0:1']);
});

test('the capacity declared is one that the commitment budget carries, and is not changed while a cohort is open', async (t) => {
  const world = new World();
  const own = nodeOf(t, key(1));
  const declared = async (left: number | null): Promise<number | null> => {
    own.left = left;
    own.tasks.work.clear();
    if (own.look(world)[0] !== 'anchor:ready') return null;
    await own.tasks.run('anchor:ready');
    const { anchor } = own.anchored.at(-1) as Anchored;
    return anchor?.kind === 'ready' ? anchor.capacity : null;
  };
  assert.equal(await declared(9), 3, 'two anchors a place, two ballots and this anchor itself');
  assert.equal(await declared(31), 4);
  world.allReady(4);
  assert.equal(await declared(11), null);
  assert.equal(await declared(8), 2);
  assert.equal(await declared(3), 0);
  assert.equal(await declared(0), null, 'nothing can be anchored at all');
  world.allReady(2);
  assert.equal(await declared(9), null, 'three would be carried, but raising costs an anchor');
  assert.equal(await declared(31), 4);
  world.step({ proposals: [{ hotkey: key(51), url: 'https://ex.com/1' }] });
  while (world.state.phase.kind !== 'measuring') world.step();
  assert.equal(await declared(0), null);
  assert.equal(await declared(31), null);
});

test('an attempt is anchored only if the budget carries its receipt and a ballot too', (t) => {
  const { world, hotkey } = drawn();
  const own = nodeOf(t, hotkey);
  planAttempt(own);
  own.left = 2;
  assert.deepEqual(own.look(world), []);
  own.left = 3;
  assert.deepEqual(own.look(world), ['anchor:attempt:0:0']);
});
