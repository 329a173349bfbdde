import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { canonicalDigest, canonicalJson } from '../../../evaluator/identity/index.ts';
import { EVENTS_LOG_ROWS, SNAPSHOTS_KEPT } from '../../../node/store/limits.ts';
import { ATTEMPT_TRANSITIONS, type AttemptStage } from '../../../node/store/tables/attempts.ts';
import { WEIGHTS_TRANSITIONS, type WeightsState } from '../../../node/store/tables/weights.ts';
import { temporaryStore } from './support.ts';

const D = (n: number): string => canonicalDigest('test', n);
const attempt = (place: number) => ({
  cohort_index: 7,
  place,
  attempt_digest: D(place),
  attempt: { place },
  secret: D(1000),
  plan: null,
});

test('identity is pinned once; another chain, subnet or hotkey is refused', (t) => {
  const { store } = temporaryStore(t);
  const identity = { genesis_hash: '0xaa', netuid: 2, hotkey: '5F' };
  store.meta.pin(identity);
  store.meta.pin(identity);
  for (const change of [{ genesis_hash: '0xbb' }, { netuid: 3 }, { hotkey: '5G' }]) {
    const field = Object.keys(change)[0] as string;
    assert.throws(() => store.meta.pin({ ...identity, ...change }), { code: 'STORE_FOREIGN', field });
  }
  store.meta.setNodeId('n1');
  assert.throws(() => store.meta.setNodeId('n2'), { code: 'STORE_CONFLICT' });
  assert.equal(store.meta.nodeId(), 'n1');
});

test('the cursor never goes back, nor to another hash of its height', (t) => {
  const { store } = temporaryStore(t);
  const at = (height: number, digit: string) => ({ height, hash: `0x${digit.repeat(64)}` });
  store.cursor.advance(at(10, 'a'));
  store.cursor.advance(at(10, 'a'));
  assert.throws(() => store.cursor.advance(at(10, 'b')), { code: 'STORE_CONFLICT' });
  assert.throws(() => store.cursor.advance(at(9, 'a')), { code: 'STORE_CONFLICT' });
  store.cursor.rewind(at(4, 'c'));
  assert.deepEqual(store.cursor.get(), at(4, 'c'));
});

test('fold state, ledger and snapshots come back as they were', (t) => {
  const { store } = temporaryStore(t);
  const state = { queue: [{ committed: 5, stake: 2n ** 70n }], text: 'ü' };
  store.state.putFold({ height: 1, hash: '0xa', state });
  store.state.putFold({ height: 2, hash: '0xb', state: { ...state, text: 'second' } });
  assert.equal(store.state.fold()?.height, 2);
  assert.equal(
    JSON.stringify(store.state.fold()?.state, (_, v) => (typeof v === 'bigint' ? `${v}` : v)).includes(`${2n ** 70n}`),
    true,
  );
  assert.equal(store.state.ledger(), null);
  store.state.putLedger({ head: '' });
  assert.equal(canonicalDigest('x', store.state.ledger()), canonicalDigest('x', { head: '' }));
  for (let i = 0; i <= SNAPSHOTS_KEPT; i++) store.state.putSnapshot({ cohort_index: i, state: { i }, ledger: {} });
  assert.equal(store.state.snapshot(0), null);
  assert.equal(store.state.snapshot(1)?.cohort_index, 1);
  store.state.dropSnapshotsAfter(5);
  assert.equal(store.state.newestSnapshot()?.cohort_index, 5);
});

test('records and journal are chains; a gap, a fork and a repeat are refused', (t) => {
  const { store } = temporaryStore(t);
  const first = store.records.append(0, '', { index: 0 });
  assert.equal(first.digest, canonicalDigest('cacheon.peer.cohort.v1', { index: 0 }));
  const second = store.records.append(1, first.digest, { index: 1 });
  for (const [index, previous] of [
    [3, second.digest],
    [2, first.digest],
    [1, first.digest],
  ] as const) {
    assert.throws(() => store.records.append(index, previous, { index }), { code: 'STORE_CONFLICT' });
  }
  assert.deepEqual(
    store.records.page(null, 10).map((r) => r.cohort_index),
    [1, 0],
  );
  assert.deepEqual(
    store.records.page(1, 10).map((r) => r.cohort_index),
    [0],
  );
  assert.equal(store.records.byDigest(second.digest)?.cohort_index, 1);
  store.records.dropAfter(0);
  assert.equal(store.records.last()?.cohort_index, 0);

  const event = store.journal.append({ sequence: 0, previous_event_digest: '', reason: 'x' });
  assert.equal(event.digest, canonicalDigest('cacheon.settlement.event', event.event));
  assert.throws(() => store.journal.append({ sequence: 1, previous_event_digest: '', reason: 'x' }), {
    code: 'STORE_CONFLICT',
  });
  assert.throws(() => store.journal.append({ sequence: 2, previous_event_digest: event.digest }), {
    code: 'STORE_CONFLICT',
  });
  store.journal.append({ sequence: 1, previous_event_digest: event.digest, reason: 'y' });
  store.journal.verify();
  assert.equal(store.journal.count(), 2);
  store.journal.dropAfter(-1);
  assert.equal(store.journal.last(), null);
});

test('an attempt takes exactly the steps of its table', (t) => {
  const { store } = temporaryStore(t);
  const stages = Object.keys(ATTEMPT_TRANSITIONS) as AttemptStage[];
  const routes: Record<AttemptStage, AttemptStage[]> = {
    planned: [],
    anchored: ['anchored'],
    measured: ['anchored', 'measured'],
    received: ['anchored', 'measured', 'received'],
    closed: ['anchored', 'measured', 'received', 'closed'],
    abandoned: ['abandoned'],
  };
  const go = (place: number, to: AttemptStage): void => {
    if (to === 'anchored') store.attempts.anchored(7, place, 100);
    else if (to === 'measured') store.attempts.measured(7, place, D(1), D(2));
    else store.attempts.advance(7, place, to as 'closed');
  };
  let place = 0;
  for (const from of stages) {
    for (const to of stages.filter((s) => s !== 'planned')) {
      const here = place++;
      store.attempts.plan(attempt(here));
      for (const step of routes[from]) go(here, step);
      if (ATTEMPT_TRANSITIONS[from].includes(to)) go(here, to);
      else assert.throws(() => go(here, to), { code: 'TRANSITION_REFUSED' }, `${from} to ${to}`);
      assert.equal(store.attempts.get(7, here)?.stage, ATTEMPT_TRANSITIONS[from].includes(to) ? to : from);
    }
  }
  assert.throws(() => store.attempts.plan(attempt(0)), { code: 'STORE_CONFLICT' });
  assert.throws(() => store.attempts.advance(8, 0, 'closed'), { code: 'TRANSITION_REFUSED' });
  assert.equal(store.attempts.ofCohort(7).length, place);
  const measured = store.attempts.inStage('measured')[0];
  assert.deepEqual([measured?.anchor_height, measured?.receipt_digest, measured?.evidence_root], [100, D(1), D(2)]);
});

test('weights: one vector per height, ever, and only the steps of the table', (t) => {
  const { store } = temporaryStore(t);
  store.weights.intend(360, [[0, 65535]]);
  store.weights.intend(360, [[0, 65535]]);
  assert.throws(() => store.weights.intend(360, [[1, 65535]]), { code: 'STORE_CONFLICT' });
  const routes: Record<WeightsState, WeightsState[]> = {
    intent: [],
    pending: ['pending'],
    confirmed: ['confirmed'],
    held: ['held'],
  };
  let height = 1000;
  for (const from of Object.keys(routes) as WeightsState[]) {
    for (const to of Object.keys(routes) as WeightsState[]) {
      store.weights.intend(++height, []);
      for (const step of routes[from]) store.weights.advance(height, step, null);
      if (WEIGHTS_TRANSITIONS[from].includes(to)) store.weights.advance(height, to, { why: 'test' });
      else assert.throws(() => store.weights.advance(height, to, null), { code: 'TRANSITION_REFUSED' });
    }
  }
  assert.throws(() => store.weights.advance(1, 'pending', null), { code: 'TRANSITION_REFUSED' });
  assert.equal(store.weights.lastConfirmed()?.state, 'confirmed');
  assert.ok(store.weights.inState('held').length > 0);
});

test('a grading is final, and a bundle takes the steps of its table', (t) => {
  const { store } = temporaryStore(t);
  const graded = {
    result: 'PASS',
    speedup: '1.1',
    target_id: 't',
    members: ['a'],
    selected_delta_digest: D(1),
    candidate_stack_digest: D(2),
  } as const;
  const grading = {
    cohort_index: 3,
    place: 4,
    receipt_digest: D(9),
    graded,
    reason: null,
    qualification: { speedup: '1.5' },
  };
  store.gradings.put(grading);
  store.gradings.put(grading);
  assert.equal(canonicalJson(store.gradings.get(3, 4, D(9))), canonicalJson(grading));
  assert.equal(store.gradings.get(3, 5, D(9)), null, 'a grading holds for its place alone');
  const changed = { ...grading, graded: { ...graded, result: 'FAIL' as const } };
  assert.throws(() => store.gradings.put(changed), { code: 'STORE_CONFLICT' });
  assert.equal(store.gradings.ofCohort(3).length, 1);
  store.gradings.dropBefore(4);
  assert.equal(store.gradings.get(3, 4, D(9)), null);

  store.bundles.want(D(1), 5);
  store.bundles.tried(D(1));
  store.bundles.want(D(1), 6);
  assert.throws(() => store.bundles.advance(D(1), 'wanted'), { code: 'TRANSITION_REFUSED' });
  store.bundles.advance(D(1), 'unavailable');
  store.bundles.held(D(1), 77);
  assert.deepEqual(store.bundles.get(D(1)), {
    content_hash: D(1),
    state: 'held',
    size: 77,
    tries: 1,
    created_height: 5,
  });
  // The pack is gone: wanted again, its tries and height as they were.
  store.bundles.want(D(1), 9);
  assert.deepEqual([store.bundles.get(D(1))?.state, store.bundles.get(D(1))?.tries], ['wanted', 1]);
  assert.throws(() => store.bundles.held(D(2), 1), { code: 'TRANSITION_REFUSED' });
});

test('the events log is a ring, and blob totals add up', (t) => {
  const { store } = temporaryStore(t);
  store.transaction(() => {
    for (let n = 0; n < EVENTS_LOG_ROWS + 20; n++) store.events.append(n, 'tick', { n });
  });
  const events = store.events.recent(5000);
  assert.equal(events.length, EVENTS_LOG_ROWS);
  assert.equal(events[0]?.height, EVENTS_LOG_ROWS + 19);
  const first = events.at(-1)?.sequence ?? 0;
  assert.deepEqual(
    store.events.after(first, 2).map((e) => e.sequence),
    [first + 1, first + 2],
  );
  store.blobs.add({ sha256: D(1), size: 10, kind: 'statement', created_height: 4 });
  store.blobs.add({ sha256: D(1), size: 10, kind: 'statement', created_height: 9 });
  store.blobs.add({ sha256: D(2), size: 5, kind: 'binding', created_height: 8 });
  assert.deepEqual(store.blobs.totals(), { count: 2, bytes: 15 });
  assert.deepEqual(
    store.blobs.olderThan(8, 10).map((b) => b.sha256),
    [D(1)],
  );
});

test('a row that somebody else wrote is refused when it is read', (t) => {
  const { store, path } = temporaryStore(t);
  store.attempts.plan(attempt(0));
  const db = new DatabaseSync(path);
  db.exec(`UPDATE attempts SET secret = 'short'`);
  db.close();
  assert.throws(() => store.attempts.get(7, 0), { code: 'STORE_CORRUPT', field: 'attempts.secret' });
});
