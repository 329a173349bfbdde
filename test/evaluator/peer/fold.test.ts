import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PeerError, type StepResult, stepBlock } from '../../../evaluator/peer/index.ts';
import { digest, grade, key, World } from './world.ts';

function errorCode(run: () => unknown): string | null {
  try {
    run();
  } catch (error) {
    return error instanceof PeerError ? error.code : String(error);
  }
  return null;
}

/** A cohort up to the last height at which ballots count, all ballots counted. */
function readyToClose(world: World): void {
  world.openCohort();
  world.anchorAll('attempt');
  world.step();
  world.step();
  world.anchorAll('receipt');
  world.ballots(world.hotkeys());
  world.step();
}

test('a proposal on its way: every event in its order, and the crown', () => {
  const world = new World();
  readyToClose(world);
  world.gradeAll('PASS', '1.07');
  const closed = world.step();
  assert.equal(closed.kind, 'applied');
  const kinds = world.events.map((event) => event.kind);
  assert.deepEqual(kinds, [
    'reservation_queued',
    'cohort_opened',
    'cohort_drawn',
    'attempt_counted',
    'attempt_counted',
    'receipt_counted',
    'receipt_counted',
    'cohort_opening',
    'ballot_counted',
    'ballot_counted',
    'ballot_counted',
    'cohort_closed',
  ]);
  assert.equal((closed as Extract<StepResult, { kind: 'applied' }>).record?.members[0]?.disposition, 'crowned');
  assert.equal(world.state.ledger.stack_digest, digest('candidate stack'));
  assert.equal(world.state.ledger, world.ledger);
  assert.deepEqual(world.state.queue, []);
});

test('a close waits for the bytes of results that count, names them all, and changes nothing', () => {
  const world = new World();
  readyToClose(world);
  const before = world.state;
  const receipts = [digest('receipt 0 0'), digest('receipt 0 1')];
  assert.deepEqual(world.step(), { kind: 'waiting', state: before, receipts });
  world.grades.set(receipts[0] as string, grade('FAIL'));
  assert.deepEqual(world.step(), { kind: 'waiting', state: before, receipts: [receipts[1]] });
  assert.equal(world.state, before);
  world.grades.set(receipts[1] as string, grade('FAIL'));
  const result = world.step();
  assert.equal(result.kind === 'applied' && result.record?.members[0]?.disposition, 'failed');
});

test('bytes of results that do not count are not waited for', () => {
  const world = new World();
  world.openCohort();
  world.anchorAll('attempt');
  world.step();
  world.step();
  world.anchorAll('receipt');
  world.ballots(world.hotkeys(), 1n);
  world.step();
  const waiting = world.step();
  assert.deepEqual(waiting.kind === 'waiting' && waiting.receipts, [digest('receipt 0 0')]);
  world.grades.set(digest('receipt 0 0'), grade('PASS', '1.5'));
  const closed = world.step();
  const member = closed.kind === 'applied' ? closed.record?.members[0] : undefined;
  assert.deepEqual(
    member?.sides.map((side) => side.result),
    ['PASS', 'lapse'],
  );
  assert.equal(member?.disposition, 'unresolved');
});

test('regrade is told the place, so that a copied receipt digest can be refused', () => {
  const world = new World();
  const cohort = world.openCohort();
  world.anchorAll('attempt');
  const attemptHeight = world.state.height;
  world.step();
  world.step();
  const seedHash = `0x${digest(`block ${attemptHeight + 2}`)}`;
  world.anchorAll('receipt');
  world.ballots(world.hotkeys());
  world.step();
  const places: unknown[] = [];
  const authority = {
    ...world.authority,
    graded: (_receipt: string, place: unknown) => {
      places.push(place);
      return null;
    },
  };
  stepBlock(world.state, world.block(), authority);
  const reservation = world.state.queue[0];
  assert.deepEqual(places[1], {
    consensus_digest: world.state.consensus_digest,
    cohort_index: 0,
    place: 1,
    side: 1,
    hotkey: cohort.members[0]?.sides[1].hotkey,
    coldkey: cohort.members[0]?.sides[1].coldkey,
    incumbent_stack_digest: world.consensus.genesis_stack_digest,
    reservation: {
      reservation_id: reservation?.reservation_id,
      hotkey: key(51),
      content_hash: digest('https://ex.com/1'),
      url: 'https://ex.com/1',
      block: reservation?.block,
      event_index: 0,
      event_subindex: 0,
    },
    attempt_digest: digest('attempt 0 1'),
    attempt_height: attemptHeight,
    seed_hash: seedHash,
    receipt_digest: digest('receipt 0 1'),
  });
});

test('blocks come one by one, with the chain state where it is read', () => {
  const world = new World();
  const block = world.block();
  const step = (change: object) => () => stepBlock(world.state, { ...block, ...change }, world.authority);
  assert.equal(errorCode(step({ height: block.height + 1 })), 'BLOCK_OUT_OF_ORDER');
  assert.equal(errorCode(step({ height: block.height - 1 })), 'BLOCK_OUT_OF_ORDER');
  assert.equal(errorCode(step({ state: null })), null);
  const sampling = new World({ stake_samples: 1 });
  const missing = { ...sampling.block(), state: null };
  assert.equal(
    errorCode(() => stepBlock(sampling.state, missing, sampling.authority)),
    'CHAIN_STATE_MISSING',
  );
});

test('a ledger that is not the one of the state stops the close, and so does a grade that says nothing', () => {
  const world = new World();
  readyToClose(world);
  world.gradeAll('PASS', '1.07');
  const right = world.ledger;
  world.ledger = { ...right, journal_head: digest('other') };
  assert.equal(
    errorCode(() => world.step()),
    'LEDGER_MISMATCH',
  );
  world.ledger = right;
  world.gradeAll('PASS', null);
  assert.equal(
    errorCode(() => world.step()),
    'GRADE_MALFORMED',
  );
  world.gradeAll('PASS', '1.0');
  assert.equal(
    errorCode(() => world.step()),
    'GRADE_MALFORMED',
  );
  world.gradeAll('PASS', '1.07');
  assert.equal(world.step().kind, 'applied');
});

test('refused and expired reservations are told', () => {
  const world = new World({ max_queued: 1, expiry_blocks: 3 });
  const block = world.block({ proposals: [{ hotkey: key(51), url: 'https://a' }] });
  const bad = { ...block.proposals[0], event_index: 5, payload: 'no payload' } as (typeof block.proposals)[number];
  const second = { ...block.proposals[0], event_index: 6 } as (typeof block.proposals)[number];
  const result = stepBlock(world.state, { ...block, proposals: [bad, second, ...block.proposals] }, world.authority);
  assert.ok(result.kind === 'applied');
  const told = result.events.map((e) => (e.kind === 'reservation_refused' ? [e.event_index, e.reason] : e.kind));
  assert.deepEqual(told, [[5, 'payload_invalid'], 'reservation_queued', [6, 'max_queued'], 'cohort_opened']);
  world.state = result.state;
  world.stepTo(block.height + 5);
  const [e1, e2] = world.events.filter((e) => e.kind === 'nobody_drawn');
  assert.deepEqual(e1, { kind: 'nobody_drawn', assignment_block: block.height + 2, reason: 'no_pair' });
  assert.equal(e2?.assignment_block, block.height + 5, 'not too old yet when the second draw was called');
  world.stepTo(block.height + 6);
  const expired = world.events.find((e) => e.kind === 'reservation_expired');
  assert.equal(expired?.kind === 'reservation_expired' && expired.reason, 'age');
  assert.equal(world.state.expired.length, 1);
});
