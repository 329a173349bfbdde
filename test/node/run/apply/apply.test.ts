import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalJson } from '../../../../evaluator/identity/index.ts';
import type { CohortRecord } from '../../../../evaluator/peer/record.ts';
import { headOf } from '../../../../node/run/apply/index.ts';
import { temporaryStore } from '../../store/support.ts';
import { applierOf, Chain, durable, passed } from './chain.ts';

test('a close is one transaction: state, ledger, events, record, snapshot and cursor', (t) => {
  const { store } = temporaryStore(t);
  const applier = applierOf(store);
  const chain = new Chain(applier);
  chain.toClose();
  for (const place of [0, 1] as const) store.gradings.put(passed(applier.ledger, place));
  const result = chain.apply();
  assert.ok(result.kind === 'applied' && result.record !== null);
  assert.deepEqual(
    result.record.members.map((member) => member.disposition),
    ['crowned'],
  );
  assert.equal(store.cursor.get()?.height, result.state.height);
  assert.equal(store.state.fold()?.height, result.state.height);
  assert.equal(canonicalJson(store.state.fold()?.state), canonicalJson(applier.state));
  assert.equal(canonicalJson(store.state.ledger()), canonicalJson(applier.ledger));
  const record = store.records.last();
  assert.equal(record?.digest, result.record_digest);
  const head = headOf(applier.ledger);
  assert.ok(record !== null);
  const { journal_head, stack_digest, claims_digest } = record.record as unknown as CohortRecord;
  assert.deepEqual({ journal_head, stack_digest, claims_digest }, head);
  assert.equal(store.journal.last()?.digest, head.journal_head);
  assert.deepEqual(
    store.journal.page(null, 10).map(({ event }) => (event as { event_type: string }).event_type),
    ['STACK_TRANSITION', 'ADOPTION', 'CROWN'],
  );
  store.journal.verify();
  assert.equal(canonicalJson(store.state.snapshot(0)?.state), canonicalJson(applier.state));
  assert.notEqual(head.stack_digest, applier.state.consensus.genesis_stack_digest);
});

test('a close that waits for bytes leaves everything, and goes on when they are graded', (t) => {
  const { store } = temporaryStore(t);
  const applier = applierOf(store);
  const chain = new Chain(applier);
  chain.toClose();
  store.gradings.put(passed(applier.ledger, 0));
  const before = durable(store);
  const state = applier.state;
  const block = chain.next();
  for (let i = 0; i < 3; i++) {
    const result = applier.apply(block);
    assert.ok(result.kind === 'waiting');
    assert.equal(result.receipts.length, 1);
  }
  assert.deepEqual(durable(store), before);
  assert.equal(applier.state, state);
  store.gradings.put(passed(applier.ledger, 1));
  assert.equal(applier.apply(block).kind, 'applied');
  assert.equal(store.journal.count(), 3);
});

test('a transaction that fails changes neither disk nor memory, and the block can be applied again', (t) => {
  const { store } = temporaryStore(t);
  let fail = false;
  const applier = applierOf(
    store,
    {},
    {
      onApplied: () => {
        if (fail) throw new Error('the disk is full');
        return [];
      },
    },
  );
  const chain = new Chain(applier);
  chain.toClose();
  for (const place of [0, 1] as const) store.gradings.put(passed(applier.ledger, place));
  const before = durable(store);
  const { state, ledger } = applier;
  const events = store.events.recent(100).length;
  fail = true;
  const block = chain.next();
  assert.throws(() => applier.apply(block), /disk is full/);
  assert.deepEqual(durable(store), before);
  assert.equal(store.events.recent(100).length, events);
  assert.equal(applier.state, state);
  assert.equal(applier.ledger, ledger);
  fail = false;
  const result = applier.apply(block);
  assert.ok(result.kind === 'applied' && result.record !== null);
});

test('a restart goes on from the disk, at every height, to the same record and journal', (t) => {
  const plain = temporaryStore(t).store;
  const straight = applierOf(plain);
  const chain = new Chain(straight);
  const blocks: Parameters<typeof straight.apply>[0][] = [];
  const step = chain.applier.apply.bind(chain.applier);
  chain.applier.apply = (block) => {
    blocks.push(block);
    return step(block);
  };
  chain.toClose();
  for (const place of [0, 1] as const) plain.gradings.put(passed(straight.ledger, place));
  chain.apply();
  chain.apply();

  const { store } = temporaryStore(t);
  for (const place of [0, 1] as const) store.gradings.put(passed(applierOf(store).ledger, place));
  for (const block of blocks) assert.equal(applierOf(store).apply(block).kind, 'applied');
  assert.deepEqual(durable(store), durable(plain));
  const again = applierOf(store);
  assert.equal(canonicalJson(again.state), canonicalJson(straight.state));
  assert.equal(canonicalJson(again.ledger), canonicalJson(straight.ledger));
});

test('a block that does not follow is refused and leaves everything', (t) => {
  const { store } = temporaryStore(t);
  const applier = applierOf(store);
  const chain = new Chain(applier);
  chain.apply();
  const before = durable(store);
  const block = chain.next();
  assert.throws(() => applier.apply({ ...block, height: block.height + 1 }), { code: 'BLOCK_OUT_OF_ORDER' });
  assert.throws(() => applier.apply({ ...block, height: block.height - 1 }), { code: 'BLOCK_OUT_OF_ORDER' });
  assert.deepEqual(durable(store), before);
});

test('fold and ledger that were written apart stop the close instead of settling on it', (t) => {
  const { store } = temporaryStore(t);
  const first = applierOf(store);
  const chain = new Chain(first);
  chain.toClose();
  for (const place of [0, 1] as const) store.gradings.put(passed(first.ledger, place));
  const block = chain.next();
  const before = { fold: store.state.fold(), cursor: store.cursor.get() };
  first.apply(block);
  // The fold of the block before, the ledger of the block after.
  assert.ok(before.fold !== null && before.cursor !== null);
  store.state.putFold(before.fold);
  const torn = applierOf(store);
  assert.throws(() => torn.apply(block), { code: 'LEDGER_MISMATCH' });
});
