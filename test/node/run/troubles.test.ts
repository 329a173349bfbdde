import assert from 'node:assert/strict';
import { test } from 'node:test';
import { divergence, Troubles } from '../../../node/run/status/troubles.ts';
import { anchorOf, digest, World } from '../../evaluator/peer/world.ts';

const codes = (troubles: Troubles, world: World): string[] => troubles.list(world.state).map(({ code }) => code);

test('a trouble stands from when it was first seen, with what is known of it now', () => {
  const troubles = new Troubles();
  const world = new World();
  troubles.raise('SYNCING', '9 blocks behind', 100);
  troubles.raise('SYNCING', '3 blocks behind', 106);
  const [row] = troubles.list(world.state);
  assert.deepEqual([row?.since, row?.detail, row?.blocking], [100, '3 blocks behind', true]);
  assert.equal(troubles.has('SYNCING'), true);
  troubles.clear('SYNCING');
  assert.deepEqual(troubles.list(world.state), []);
});

test('a divergence that the ballots of one cohort showed stands on after the cohort has closed', () => {
  const world = new World({ ballot_blocks: 6 });
  const cohort = world.openCohort();
  world.anchorAll('attempt');
  for (let i = 0; i <= world.consensus.lag_blocks; i++) world.step();
  world.anchorAll('receipt');
  const troubles = new Troubles();
  assert.equal(divergence(world.state), null);
  const ballot = { kind: 'ballot', cohort_index: cohort.index, bitmap: 3n, previous: digest('their record') } as const;
  world.step({
    anchors: world
      .hotkeys()
      .slice(0, 2)
      .map((hotkey) => anchorOf(hotkey, ballot)),
  });
  const found = divergence(world.state);
  assert.match(found ?? '', new RegExp(digest('their record')));
  assert.deepEqual(codes(troubles, world), ['DIVERGED']);
  troubles.raise('DIVERGED', found ?? '', world.state.height);
  assert.deepEqual(codes(troubles, world), ['DIVERGED'], 'once');
  world.stepTo(world.state.height + 10);
  assert.equal(divergence(world.state), null, 'the state alone has forgotten it');
  assert.ok(codes(troubles, world).includes('DIVERGED'));
});
