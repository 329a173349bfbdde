import assert from 'node:assert/strict';
import { test } from 'node:test';
import { troublesOf } from '../../../evaluator/peer/index.ts';
import { digest, key, World } from './world.ts';

const codes = (world: World): string[] => troublesOf(world.state).map((trouble) => trouble.code);

function drawOnce(world: World, ready: boolean): void {
  if (ready) world.allReady();
  world.step({ proposals: [{ hotkey: key(51), url: 'https://a' }] });
  while (world.state.last_draw === null) world.step();
}

test('a network that can settle has none', () => {
  const world = new World();
  assert.deepEqual(codes(world), []);
  drawOnce(world, true);
  assert.deepEqual(codes(world), []);
});

test('fewer than two active coldkeys, and too little active stake', () => {
  const nobody = new World({ min_active_stake_ppm: 1 });
  drawOnce(nobody, false);
  assert.deepEqual(troublesOf(nobody.state), [
    { code: 'FEW_ACTIVE_VALIDATORS', active_coldkeys: 0 },
    { code: 'LOW_ACTIVE_STAKE', active_stake: '0', permitted_stake: '300' },
  ]);
  const one = new World({}, [100]);
  drawOnce(one, true);
  assert.deepEqual(codes(one), ['FEW_ACTIVE_VALIDATORS']);
});

test('no quorum in two cohorts in a row', () => {
  const world = new World();
  world.openCohort();
  const closes = () => world.events.filter((event) => event.kind === 'cohort_closed').length;
  while (closes() < 1) world.step();
  assert.deepEqual(codes(world), []);
  while (closes() < 2) world.step();
  assert.deepEqual(codes(world), ['NO_QUORUM']);
  while (world.state.phase.kind !== 'ballots') world.step();
  world.ballots(world.hotkeys(), 0n);
  while (closes() < 3) world.step();
  assert.deepEqual(codes(world), [], 'a quorum ends the row');
});

test('diverged: more than half of the active stake names another record', () => {
  const world = new World({}, [100, 100, 200]);
  world.openCohort();
  while (world.state.phase.kind !== 'ballots') world.step();
  const other = digest('another record');
  world.ballots([key(3)], 0n, other);
  assert.deepEqual(codes(world), [], 'exactly half is not more than half');
  world.ballots([key(1)], 0n, other);
  assert.deepEqual(troublesOf(world.state), [{ code: 'DIVERGED', own: '', named: other }]);
  world.ballots([key(1)], 0n);
  assert.deepEqual(codes(world), [], 'a ballot for this history takes it back');
});
