import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Consensus,
  consensusDigest,
  needsOwner,
  needsState,
  PeerError,
  policyOf,
  restartState,
  stateDigest,
  stepBlock,
} from '../../../evaluator/peer/index.ts';
import { sampleConsensus } from './sample.ts';
import { anchorOf, digest, key, World } from './world.ts';

const OWNER = key(1000);

/** Steps a block with a policy anchor; its object is held unless told otherwise. */
function anchorPolicy(
  world: World,
  object: Consensus,
  options: { from?: string; at?: number; held?: boolean } = {},
): void {
  const { from = OWNER, at = object.activation_height, held = true } = options;
  if (held) world.objects.set(consensusDigest(object), object);
  const policy = { kind: 'policy', consensus_digest: consensusDigest(object), activation_height: BigInt(at) } as const;
  const result = world.step({ anchors: [anchorOf(from, policy)], owner: OWNER });
  assert.equal(result.kind, 'applied');
}

test('the owner changes the object, for everything, at its activation height', () => {
  const world = new World();
  world.allReady();
  const next = sampleConsensus({ activation_height: 120, max_queued: 7 });
  anchorPolicy(world, next);
  assert.equal(world.state.policy.length, 1);
  world.stepTo(119);
  assert.equal(world.state.consensus.max_queued, 2);
  assert.ok(needsState(world.state, 120), 'another object may read the state');
  world.stepTo(120);
  assert.deepEqual(world.state.consensus, next);
  assert.equal(world.state.consensus_digest, consensusDigest(next));
  assert.deepEqual(world.state.policy, []);
  assert.equal(world.state.ready.length, 3, 'the ready table goes on under the same arena');
});

test('anchors of others, late ones and malformed last ones are ignored', () => {
  const world = new World();
  const at = (activation_height: number) => sampleConsensus({ activation_height });
  anchorPolicy(world, at(200), { from: key(1) });
  anchorPolicy(world, at(111), {});
  assert.equal(world.state.height, 101);
  assert.equal(world.state.policy.length, 1, 'exactly the notice of 10 blocks is enough');
  anchorPolicy(world, at(111), {});
  assert.deepEqual(
    world.state.policy.map((row) => row.anchored_at),
    [101],
    'one block late',
  );
  const good = { kind: 'policy', consensus_digest: digest('x'), activation_height: 500n } as const;
  world.step({ anchors: [anchorOf(OWNER, good), { hotkey: OWNER, payload: '0105' }], owner: OWNER });
  assert.equal(world.state.policy.length, 1);
});

test('of several for one activation height the last rules; of several due the highest', () => {
  const world = new World();
  world.openCohort();
  const make = (activation_height: number, max_queued: number) => sampleConsensus({ activation_height, max_queued });
  anchorPolicy(world, make(117, 3));
  anchorPolicy(world, make(117, 4));
  anchorPolicy(world, make(118, 5));
  assert.deepEqual(
    world.state.policy.map((row) => row.activation_height),
    ['117', '118'],
  );
  world.stepTo(118);
  assert.equal(world.state.consensus.max_queued, 2, 'not while a cohort is open');
  do world.step();
  while (world.state.phase.kind !== 'idle');
  assert.equal(world.state.consensus.max_queued, 2);
  world.step();
  assert.equal(world.state.consensus.max_queued, 5);
});

test('an object whose own activation height differs, or for another subnet, is ignored', () => {
  const world = new World();
  anchorPolicy(world, sampleConsensus({ activation_height: 999, max_queued: 3 }), { at: 115 });
  anchorPolicy(world, sampleConsensus({ activation_height: 116, netuid: 8 }));
  anchorPolicy(world, sampleConsensus({ activation_height: 117, genesis_hash: `0x${digest('other chain')}` }));
  world.stepTo(118);
  assert.deepEqual(world.state.consensus, world.consensus);
  assert.deepEqual(world.state.policy, []);
});

test('without the object the fold stops before its activation height, with a cohort open too', () => {
  for (const open of [false, true]) {
    const world = new World();
    if (open) world.openCohort();
    const next = sampleConsensus({ activation_height: 118 });
    anchorPolicy(world, next, { held: false });
    world.stepTo(117);
    assert.equal('cohort' in world.state.phase, open);
    const stopped = { kind: 'consensus_unknown', digest: consensusDigest(next), activation_height: 118 };
    assert.deepEqual(world.step(), stopped);
    world.objects.set(consensusDigest(next), next);
    assert.equal(world.step().kind, 'applied');
  }
});

test('another arena empties the ready table and starts from its genesis stack', () => {
  const world = new World();
  world.allReady();
  const genesis_stack_digest = digest('new genesis');
  anchorPolicy(world, sampleConsensus({ activation_height: 120, arena_digest: digest('new'), genesis_stack_digest }));
  world.stepTo(120);
  assert.deepEqual(world.state.ready, []);
  assert.equal(world.state.ledger.stack_digest, genesis_stack_digest);
  assert.equal(world.ledger.stack_digest, genesis_stack_digest);
});

test('fewer stake samples are kept as soon as the object says so', () => {
  const world = new World({ stake_samples: 3, epoch_blocks: 2 });
  anchorPolicy(world, sampleConsensus({ activation_height: 115, stake_samples: 1, epoch_blocks: 50 }));
  world.stepTo(114);
  assert.deepEqual(
    world.state.samples.map((sample) => sample.height),
    [110, 112, 114],
  );
  world.stepTo(115);
  assert.deepEqual(
    world.state.samples.map((sample) => sample.height),
    [114],
  );
});

test('pending policies are in the state digest, whatever u64 they name', () => {
  const world = new World();
  const before = stateDigest(world.state);
  const policy = { kind: 'policy', consensus_digest: digest('x'), activation_height: 2n ** 64n - 1n } as const;
  world.step({ anchors: [anchorOf(OWNER, policy)], owner: OWNER });
  assert.equal(world.state.policy[0]?.activation_height, '18446744073709551615');
  assert.notEqual(stateDigest(world.state), before);
});

test('the owner is asked for only with a well-formed policy anchor, and then it must be there', () => {
  const world = new World();
  const policy = anchorOf(OWNER, { kind: 'policy', consensus_digest: digest('x'), activation_height: 500n });
  const ready = anchorOf(OWNER, { kind: 'ready', arena_digest: digest('x'), capacity: 1 });
  assert.ok(needsOwner([policy]));
  assert.ok(!needsOwner([policy, ready]), 'only the last value is seen');
  const { owner_hotkey: _, ...block } = world.block({ anchors: [policy] });
  assert.throws(() => stepBlock(world.state, block, world.authority), { code: 'CHAIN_STATE_MISSING' });
  assert.equal(policyOf({ ...block, owner_hotkey: null }, 10), null);
  assert.equal(policyOf({ ...block, owner_hotkey: OWNER }, 10)?.anchored_at, block.height);
});

test('restart: back to the state after a record, without cohorts up to the activation height', () => {
  const world = new World();
  world.openCohort();
  while (world.state.record_digest === '') world.step();
  const afterRecord = world.state;
  const object = sampleConsensus({ activation_height: 150, max_queued: 3, restart: afterRecord.record_digest });
  world.stepTo(afterRecord.height + 4);
  assert.notEqual(world.state.phase.kind, 'idle', 'another cohort is on its way');
  anchorPolicy(world, object);
  const anchoredAt = world.state.height;
  while (world.state.height < 149) world.step();
  const required = { kind: 'restart', digest: consensusDigest(object), record: object.restart, activation_height: 150 };
  assert.deepEqual(world.step(), required);

  world.state = restartState(afterRecord, object);
  world.stepTo(anchoredAt - 1);
  anchorPolicy(world, object);
  world.step({ proposals: [{ hotkey: key(52), url: 'https://ex.com/2' }] });
  world.stepTo(149);
  assert.equal(world.state.phase.kind, 'idle');
  assert.equal(world.state.next_index, 1);
  assert.equal(world.state.queue.length, 2, 'proposals go on');
  world.step();
  assert.equal(world.state.consensus.max_queued, 3);
  assert.equal(world.state.phase.kind, 'drawing', 'cohorts go on');
});

test('a restart to the last record is asked for as well while it was not followed', () => {
  const world = new World();
  world.openCohort();
  while (world.state.record_digest === '') world.step();
  const afterRecord = world.state;
  const activation_height = afterRecord.height + 11;
  const object = sampleConsensus({ activation_height, restart: afterRecord.record_digest });
  anchorPolicy(world, object);
  world.stepTo(activation_height - 1);
  assert.equal(world.state.record_digest, afterRecord.record_digest);
  assert.equal(world.step().kind, 'restart');
});

test('a restart that names no record is an ordinary object; another state is refused', () => {
  const world = new World();
  const object = sampleConsensus({ activation_height: 120, restart: digest('no record') });
  anchorPolicy(world, object);
  world.stepTo(120);
  assert.equal(world.state.consensus_digest, consensusDigest(object));
  assert.throws(() => restartState(world.state, object), PeerError);
});
