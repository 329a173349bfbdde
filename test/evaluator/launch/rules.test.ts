import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalDigest, sha256Hex } from '../../../evaluator/identity/index.ts';
import {
  arenaDigest,
  attemptDigest,
  authorityDigest,
  type LaunchIdentity,
  laneSlotDigest,
  laneSlots,
  launchDigest,
  nativePublicationDigest,
  openRules,
  parseArena,
  parseRuntime,
  planDigest,
  planObject,
  runtimeDigest,
  sideOf,
} from '../../../evaluator/launch/index.ts';
import { makeWorld, RUNTIME } from '../../native/qualify/support/world.ts';

const { rules } = makeWorld();
const objects = {
  arena: rules.arena,
  evaluation: rules.evaluation,
  speedPolicy: rules.speed,
  reference: rules.reference,
};

test('rules open only with exactly the objects that are named', () => {
  assert.deepEqual(openRules(rules.consensusDigest, rules.consensus, objects), rules);
  const other = sha256Hex('other');
  for (const [change, field] of [
    [{ arena: { ...rules.arena, name: 'x' } }, 'arena_digest'],
    [{ evaluation: { ...rules.evaluation, logit_margin: '0.5' } }, 'evaluation_digest'],
    [{ speedPolicy: { ...rules.speed, margin_ppm: 1 } }, 'speed_policy_digest'],
    [{ reference: { ...rules.reference, tokenizer_digest: other } }, 'reference_manifest_digest'],
  ] as const) {
    assert.throws(() => openRules(rules.consensusDigest, rules.consensus, { ...objects, ...change }), {
      code: 'RULES_MISMATCH',
      field,
      fault: 'operator',
    });
  }
  const v1 = { ...rules.consensus, selection_policy_version: 'qualification-selection.v1' };
  assert.throws(() => openRules(rules.consensusDigest, v1, objects), { field: 'selection_policy_version' });
});

test('an evaluation must have the launches and blocks of its speed policy', () => {
  for (const change of [{ launches: 4 }, { blocks: 9 }, { select_count: 5 }, { logit_margin: '.1' }, { more: 1 }]) {
    const evaluation = { ...rules.evaluation, ...change };
    assert.throws(() => openRules(rules.consensusDigest, rules.consensus, { ...objects, evaluation }), /evaluation\./);
  }
});

test('arena and runtime are closed', () => {
  for (const change of [{ backend: 'gpu' }, { lane_slots: 3 }, { extra: 1 }, { engine_digest: '0'.repeat(64) }]) {
    assert.throws(() => parseArena({ ...rules.arena, ...change }), /arena\./);
  }
  assert.deepEqual(parseRuntime({ ...RUNTIME }), RUNTIME);
  assert.throws(() => parseRuntime({ ...RUNTIME, node: 'é' }), /runtime\.node/);
  assert.equal(runtimeDigest(RUNTIME), canonicalDigest('cacheon.runtime.v1', RUNTIME));
});

test('a plan names slot digests, exchanged between the sides', () => {
  const arena = arenaDigest(rules.arena);
  const plan = (place: number) =>
    planObject({
      armDigest: sha256Hex('arm'),
      place,
      arenaDigest: arena,
      evaluationDigest: rules.consensus.evaluation_digest,
      speedPolicyDigest: rules.consensus.speed_policy_digest,
    });
  const [zero, one] = [plan(6), plan(7)];
  assert.equal(zero.baseline_lane, canonicalDigest('cacheon.lane.slot.v1', { arena_digest: arena, index: 0 }));
  assert.equal(zero.candidate_lane, laneSlotDigest(arena, 1));
  assert.deepEqual([one.baseline_lane, one.candidate_lane], [zero.candidate_lane, zero.baseline_lane]);
  assert.equal(planDigest(zero), canonicalDigest('cacheon.peer.plan.v1', zero));
  assert.deepEqual([sideOf(6), sideOf(7)], [0, 1]);
  assert.deepEqual(laneSlots(1), { baseline: 1, candidate: 0 });
});

test('digests are over exactly the objects of names.md', () => {
  const authority = { consensus_digest: sha256Hex('c'), cohort_index: 1, place: 2, hotkey: 'h' };
  assert.equal(authorityDigest(authority), canonicalDigest('cacheon.peer.authority.v1', authority));
  const attempt = {
    cohort_index: 1,
    hotkey: 'h',
    incumbent_stack_digest: sha256Hex('i'),
    place: 2,
    plan_digest: null,
    reservation_id: sha256Hex('r'),
    secret_commitment: sha256Hex('s'),
  };
  assert.equal(attemptDigest(attempt), canonicalDigest('cacheon.peer.attempt.v1', attempt));
  const identity = { role: 'B', seam_bindings: [] } as unknown as LaunchIdentity;
  assert.equal(launchDigest(identity), canonicalDigest('cacheon.launch.v1', identity));
  assert.equal(nativePublicationDigest([]), null);
  const module = { slot: 'linear.matmul', variant: 'default', sha256: sha256Hex('wasm') };
  assert.notEqual(nativePublicationDigest([module]), nativePublicationDigest([{ ...module, variant: 'other' }]));
});
