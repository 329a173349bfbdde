import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dutiesOf, type Member, type PlaceDuty } from '../../../evaluator/peer/index.ts';
import { anchorOf, digest, key, World } from './world.ts';

function placesNow(world: World, hotkey: string): readonly PlaceDuty[] {
  return dutiesOf(world.state, hotkey, world.state.height).cohort?.places ?? [];
}

test('readiness: capacity, and when the row ends', () => {
  const world = new World({ ready_blocks: 7 });
  assert.deepEqual(dutiesOf(world.state, key(1), 99).ready, { capacity: 0, anchored_at: null, expires_at: null });
  world.allReady(3);
  assert.deepEqual(dutiesOf(world.state, key(1), 100).ready, { capacity: 3, anchored_at: 100, expires_at: 107 });
  world.stepTo(106);
  assert.equal(dutiesOf(world.state, key(1), 106).ready.capacity, 3);
  world.stepTo(107);
  assert.equal(dutiesOf(world.state, key(1), 107).ready.capacity, 0);
});

test('no cohort, no duties in it', () => {
  const world = new World();
  world.allReady();
  assert.equal(dutiesOf(world.state, key(1), 100).cohort, null);
  world.step({ proposals: [{ hotkey: key(51), url: 'https://a' }] });
  assert.equal(world.state.phase.kind, 'drawing');
  assert.equal(dutiesOf(world.state, key(1), 101).cohort, null);
});

test('a place: its reservation, the attempt, the seed, the receipt', () => {
  const world = new World();
  const cohort = world.openCohort();
  const e = cohort.assignment_block;
  const me = cohort.members[0]?.sides[1].hotkey as string;
  const duties = dutiesOf(world.state, me, e).cohort;
  assert.equal(duties?.index, 0);
  assert.equal(duties?.phase, 'measuring');
  assert.equal(duties?.opened, cohort.opened);
  assert.equal(duties?.assignment_block, e);
  assert.equal(duties?.incumbent_stack_digest, world.consensus.genesis_stack_digest);
  assert.deepEqual([duties?.show_deadline, duties?.measure_deadline], [e + 6, e + 12]);
  assert.deepEqual([duties?.opening_height, duties?.ballot], [null, null]);
  const { committed, spent, passes, delta, drawn, ...reservation } = world.state
    .queue[0] as (typeof world.state.queue)[0];
  const fresh = { place: 1, side: 1, reservation, attempt: null, seed_height: null, seed_hash: null, receipt: null };
  assert.deepEqual(duties?.places, [{ ...fresh, next: 'attempt' }]);

  world.anchorAll('attempt');
  const attempt = { digest: digest('attempt 0 1'), height: e + 1 };
  const seeded = { ...fresh, attempt, seed_height: e + 3 };
  assert.deepEqual(placesNow(world, me), [{ ...seeded, next: 'await_seed' }]);
  world.step();
  assert.equal(placesNow(world, me)[0]?.next, 'await_seed');
  world.step();
  const seed_hash = `0x${digest(`block ${e + 3}`)}`;
  assert.deepEqual(placesNow(world, me), [{ ...seeded, seed_hash, next: 'receipt' }]);
  world.anchorAll('receipt');
  const receipt = { digest: digest('receipt 0 1'), height: e + 4 };
  assert.deepEqual(placesNow(world, me), [{ ...seeded, seed_hash, receipt, next: 'done' }]);
});

test('who was not drawn has no place, but the receipts and the ballot', () => {
  const world = new World();
  const cohort = world.openCohort();
  const drawn = cohort.members[0]?.sides.map((side) => side.hotkey) ?? [];
  const other = world.hotkeys().find((hotkey) => !drawn.includes(hotkey)) as string;
  assert.deepEqual(placesNow(world, other), []);
  world.anchorAll('attempt');
  world.step();
  world.step();
  assert.deepEqual(dutiesOf(world.state, other, 0).cohort?.receipts, []);
  world.anchorAll('receipt');
  const duties = dutiesOf(world.state, other, world.state.height).cohort;
  assert.deepEqual(
    duties?.receipts.map((r) => [r.place, r.receipt_digest, r.hotkey, r.own, r.named]),
    [
      [0, digest('receipt 0 0'), drawn[0], false, false],
      [1, digest('receipt 0 1'), drawn[1], false, false],
    ],
  );
  assert.deepEqual(
    dutiesOf(world.state, drawn[1] as string, 0).cohort?.receipts.map((r) => r.own),
    [false, true],
  );
});

test('the ballot: from o to the close, what it names, what was counted', () => {
  const world = new World();
  world.openCohort();
  world.anchorAll('attempt');
  world.step();
  world.step();
  world.anchorAll('receipt');
  const o = world.state.height;
  const ballot = (hotkey: string) => dutiesOf(world.state, hotkey, world.state.height).cohort?.ballot;
  const expected = { opening_height: o, close_height: o + 3, previous: '0'.repeat(64) };
  assert.deepEqual(ballot(key(1)), { ...expected, counted: false, bitmap: '0'.repeat(16) });
  assert.equal(ballot(key(51)), null, 'a miner is not active');
  world.ballots([key(51), key(1)], 2n);
  assert.deepEqual(
    world.cohort().ballots.map((row) => row.hotkey),
    [key(1)],
    'its ballot does not count',
  );
  assert.deepEqual(ballot(key(1)), { ...expected, counted: true, bitmap: '0000000000000002' });
  assert.deepEqual(
    dutiesOf(world.state, key(1), o).cohort?.receipts.map((r) => r.named),
    [false, true],
  );
  world.ballots([key(1)], 1n);
  assert.equal(ballot(key(1))?.bitmap, '0000000000000003');
  assert.equal(ballot(key(2))?.counted, false);
});

test('the second cohort names the record of the first', () => {
  const world = new World();
  world.openCohort();
  while (world.state.record_digest === '') world.step();
  while (world.state.phase.kind !== 'ballots') world.step();
  const duties = dutiesOf(world.state, key(1), world.state.height).cohort;
  assert.equal(duties?.index, 1);
  assert.equal(duties?.ballot?.previous, world.state.record_digest);
});

test('deadlines: an attempt must land at E + show_blocks, a receipt at E + measure_blocks', () => {
  const world = new World();
  const cohort = world.openCohort();
  const e = cohort.assignment_block;
  const [a, b] = (cohort.members[0] as Member).sides.map((side) => side.hotkey) as [string, string];
  const attempt = { kind: 'attempt', cohort_index: 0, place: 0, digest: digest('a') } as const;
  world.step({ anchors: [anchorOf(a, attempt)] });
  const next = (hotkey: string, height: number) => dutiesOf(world.state, hotkey, height).cohort?.places[0]?.next;
  world.stepTo(e + 5);
  assert.deepEqual([next(a, e + 5), next(b, e + 5)], ['receipt', 'attempt']);
  assert.equal(next(b, e + 6), 'missed', 'the head may be ahead of the fold');
  world.stepTo(e + 11);
  assert.deepEqual([next(a, e + 11), next(b, e + 11)], ['receipt', 'missed']);
  assert.equal(next(a, e + 12), 'missed');
  world.stepTo(e + 12);
  assert.equal(world.state.phase.kind, 'ballots');
  assert.equal(next(a, e + 12), 'missed');
});

test('an attempt cannot land after the measuring, however long show_blocks is', () => {
  const world = new World({ show_blocks: 50 });
  const cohort = world.openCohort();
  const me = cohort.members[0]?.sides[0].hotkey as string;
  const duties = dutiesOf(world.state, me, cohort.assignment_block + 12).cohort;
  assert.equal(duties?.show_deadline, cohort.assignment_block + 12);
  assert.equal(duties?.places[0]?.next, 'missed');
});
