import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CatalogError } from '../../../evaluator/catalog/index.ts';
import { contextOf, contributionDigest, stackDigest, withEntries } from '../../../evaluator/manifest/index.ts';
import {
  armDigest,
  cohortDigest,
  marginalArm,
  PlanError,
  type PlanErrorCode,
  planCohort,
  planTransition,
  reconstruct,
  rollbackOf,
} from '../../../evaluator/plan/index.ts';
import { CATALOG, digest, proposal, STOCK_TREE, stockStack } from '../settle/fixtures.ts';

const code = (expected: PlanErrorCode) => (error: unknown) => error instanceof PlanError && error.code === expected;
const stack = (...targets: string[]) =>
  withEntries(
    stockStack(),
    targets.map((id) => proposal(id, 'old')),
  );
const plan = (incumbent: ReturnType<typeof stack>, target: string, seed = 'new') =>
  planTransition(incumbent, proposal(target, seed), contextOf(incumbent), CATALOG);

describe('planTransition', () => {
  test('changes exactly one target and leaves the others', () => {
    const planned = plan(stack('norm.rmsnorm', 'linear.matmul'), 'norm.rmsnorm');
    assert.deepEqual(planned.candidate.entries, {
      'linear.matmul': proposal('linear.matmul', 'old'),
      'norm.rmsnorm': proposal('norm.rmsnorm', 'new'),
    });
    assert.deepEqual(planned.transition.prior, proposal('norm.rmsnorm', 'old'));
    assert.deepEqual(planned.transition.displaced, []);
  });

  test('an atomic target displaces its active members, sorted', () => {
    const planned = plan(stack('linear.matmul', 'norm.rmsnorm', 'activation.silu_and_mul'), 'ffn.gated.v1');
    assert.deepEqual(
      planned.transition.displaced.map((ref) => ref.target_id),
      ['activation.silu_and_mul', 'linear.matmul'],
    );
    assert.deepEqual(planned.executionOrder, ['ffn.gated.v1', 'norm.rmsnorm']);
  });

  test('never decomposes, never plans an empty delta, never follows another catalog', () => {
    assert.throws(() => plan(stack('ffn.gated.v1'), 'linear.matmul'), code('PLAN_DECOMPOSES'));
    const sameDelta = { ...proposal('norm.rmsnorm', 'old'), attribution_digest: digest('another miner') };
    const incumbent = stack('norm.rmsnorm');
    const context = contextOf(incumbent);
    assert.throws(() => planTransition(incumbent, sameDelta, context, CATALOG), code('PLAN_NO_DELTA'));
    const stale = { ...proposal('norm.rmsnorm', 'new'), target_spec_digest: digest('x') };
    assert.throws(() => planTransition(incumbent, stale, context, CATALOG), code('PLAN_STALE_TARGET_SPEC'));
    const foreign = { ...context, catalog_digest: digest('x') };
    assert.throws(() => planTransition(incumbent, stale, foreign, CATALOG), code('PLAN_CATALOG'));
    assert.throws(() => plan(stack('ffn.gated.v1', 'linear.matmul'), 'norm.rmsnorm'), CatalogError);
  });
});

describe('rollback', () => {
  const arm = marginalArm(plan(stack(), 'norm.rmsnorm'), STOCK_TREE, digest('tree'));

  test('restores the baseline, and only from the challenger', () => {
    const rollback = rollbackOf(arm);
    assert.deepEqual(reconstruct(rollback, arm.challenger), {
      stack_digest: stackDigest(stack()),
      tree_digest: STOCK_TREE,
    });
    assert.equal(rollback.source_arm_digest, armDigest(arm));
    for (const current of [arm.baseline_before, { ...arm.challenger, tree_digest: digest('other') }]) {
      assert.throws(() => reconstruct(rollback, current), code('ROLLBACK_NOT_CURRENT'));
    }
  });

  test('an arm needs another tree', () => {
    assert.throws(
      () => marginalArm(plan(stack(), 'norm.rmsnorm'), STOCK_TREE, STOCK_TREE),
      code('PLAN_TREE_UNCHANGED'),
    );
  });
});

describe('screen cohort', () => {
  const arms = ['a', 'b', 'c'].map((seed) =>
    marginalArm(plan(stack(), 'norm.rmsnorm', seed), STOCK_TREE, digest(seed)),
  );
  const order = arms.map((arm) => contributionDigest(arm.transition.replacement));

  test('depends on entropy and arrival, not on the order of the arms given', () => {
    const cohort = planCohort(arms, digest('entropy'), order);
    assert.equal(cohortDigest(planCohort(arms.toReversed(), digest('entropy'), order)), cohortDigest(cohort));
    assert.notEqual(cohortDigest(planCohort(arms, digest('entropy'), order.toReversed())), cohortDigest(cohort));
    const orders = new Set(
      ['1', '2', '3', '4', '5'].map((seed) => planCohort(arms, digest(seed), order).execution_order.join()),
    );
    assert.ok(orders.size > 1);
  });

  test('refuses arms that are not distinct, or of another incumbent', () => {
    const twin = { ...(arms[0] as (typeof arms)[number]) };
    assert.throws(() => planCohort([...arms, twin], digest('e'), order), code('COHORT_REPEATED'));
    const elsewhere = marginalArm(plan(stack('linear.matmul'), 'norm.rmsnorm', 'd'), STOCK_TREE, digest('d'));
    assert.throws(() => planCohort([...arms, elsewhere], digest('e'), order), code('COHORT_INCUMBENT'));
    assert.throws(() => planCohort(arms, digest('e'), [...order, order[0] as string]), code('COHORT_ORDER'));
  });
});
