import { requireDigest } from '../fields/index.ts';
import { canonicalDigest } from '../identity/index.ts';
import { stackDigest } from '../manifest/index.ts';
import { PlanError } from './errors.ts';
import type { PlannedTransition, StackTransition } from './transition.ts';

const ARM_DOMAIN = 'cacheon.stack.marginal-arm-plan';
const ROLLBACK_DOMAIN = 'cacheon.stack.rollback-plan';

/** A stack as executed: which contributions, and which emitted files. */
export interface ArmIdentity {
  readonly stack_digest: string;
  readonly tree_digest: string;
}

/** One marginal comparison: B, C, B' with B = B' (`protocol.md` section 6). */
export interface MarginalArm {
  readonly schema_version: 1;
  readonly policy_version: 'stack-plan.v1';
  readonly incumbent_stack_digest: string;
  readonly candidate_stack_digest: string;
  readonly transition: StackTransition;
  readonly baseline_before: ArmIdentity;
  readonly challenger: ArmIdentity;
  readonly baseline_after: ArmIdentity;
}

/** The planned way back from an arm's challenger to its baseline. */
export interface RollbackPlan {
  readonly schema_version: 1;
  readonly expected_current: ArmIdentity;
  readonly restored: ArmIdentity;
  readonly restored_manifest_digest: string;
  readonly source_arm_digest: string;
}

/**
 * Binds a planned transition to the two materialized trees.
 * @throws FieldError for a tree digest that is none, PlanError PLAN_TREE_UNCHANGED
 */
export function marginalArm(
  planned: PlannedTransition,
  incumbentTreeDigest: string,
  candidateTreeDigest: string,
): MarginalArm {
  requireDigest(incumbentTreeDigest, 'baseline_before.tree_digest');
  requireDigest(candidateTreeDigest, 'challenger.tree_digest');
  if (incumbentTreeDigest === candidateTreeDigest) {
    throw new PlanError('PLAN_TREE_UNCHANGED', undefined, { field: 'challenger.tree_digest' });
  }
  const baseline = { stack_digest: stackDigest(planned.incumbent), tree_digest: incumbentTreeDigest };
  const challenger = { stack_digest: stackDigest(planned.candidate), tree_digest: candidateTreeDigest };
  return {
    schema_version: 1,
    policy_version: 'stack-plan.v1',
    incumbent_stack_digest: baseline.stack_digest,
    candidate_stack_digest: challenger.stack_digest,
    transition: planned.transition,
    baseline_before: baseline,
    challenger,
    baseline_after: baseline,
  };
}

export function armDigest(arm: MarginalArm): string {
  return canonicalDigest(ARM_DOMAIN, arm);
}

/** The rollback of an arm; a rollback is itself planned and content-addressed, never an edit in place. */
export function rollbackOf(arm: MarginalArm): RollbackPlan {
  return {
    schema_version: 1,
    expected_current: arm.challenger,
    restored: arm.baseline_before,
    restored_manifest_digest: arm.incumbent_stack_digest,
    source_arm_digest: armDigest(arm),
  };
}

export function rollbackDigest(plan: RollbackPlan): string {
  return canonicalDigest(ROLLBACK_DOMAIN, plan);
}

/**
 * The identity to restore, if the current stack is still the one this rollback undoes.
 * @throws PlanError ROLLBACK_NOT_CURRENT
 */
export function reconstruct(plan: RollbackPlan, current: ArmIdentity): ArmIdentity {
  const { expected_current: expected } = plan;
  if (current.stack_digest !== expected.stack_digest || current.tree_digest !== expected.tree_digest) {
    throw new PlanError('ROLLBACK_NOT_CURRENT', undefined, { field: 'expected_current' });
  }
  return plan.restored;
}
