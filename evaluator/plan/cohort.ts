import { requireDigest } from '../fields/index.ts';
import { canonicalDigest, compareCodePoints } from '../identity/index.ts';
import { contributionDigest, selectedDeltaDigest } from '../manifest/index.ts';
import { type ArmIdentity, armDigest, type MarginalArm } from './arm.ts';
import { PlanError } from './errors.ts';

const COHORT_DOMAIN = 'cacheon.stack.cohort-plan';
const EXECUTION_KEY_DOMAIN = 'cacheon.stack.cohort-execution-key';

/** A routing screen's cohort (`protocol.md` section 6). A peer cohort is no such object (`names.md`). */
export interface CohortPlan {
  readonly schema_version: 1;
  readonly incumbent: ArmIdentity;
  /** Arm digests, sorted by selected delta. */
  readonly arms: readonly string[];
  readonly entropy_digest: string;
  /** Contribution digests in arrival order. */
  readonly authority_order: readonly string[];
  /** Selected deltas in the order in which entropy has them run. */
  readonly execution_order: readonly string[];
}

/**
 * Plans a cohort of arms over one frozen incumbent.
 * @param authorityOrder digest of each arm's replacement, in arrival order
 * @throws FieldError for an entropy digest that is none, PlanError COHORT_*
 */
export function planCohort(
  arms: readonly MarginalArm[],
  entropyDigest: string,
  authorityOrder: readonly string[],
): CohortPlan {
  requireDigest(entropyDigest, 'entropy_digest');
  const incumbent = arms[0]?.baseline_before;
  if (incumbent === undefined) throw new PlanError('COHORT_EMPTY', undefined, { field: 'arms' });
  const isSame = (b: ArmIdentity) =>
    b.stack_digest === incumbent.stack_digest && b.tree_digest === incumbent.tree_digest;
  if (!arms.every((arm) => isSame(arm.baseline_before) && isSame(arm.baseline_after))) {
    throw new PlanError('COHORT_INCUMBENT', undefined, { field: 'incumbent' });
  }
  const delta = (arm: MarginalArm) => selectedDeltaDigest(arm.transition.replacement);
  requireDistinct(arms.map(delta), 'selected_delta_digest');
  requireDistinct(
    arms.map((arm) => arm.candidate_stack_digest),
    'candidate_stack_digest',
  );
  requireDistinct(
    arms.map((arm) => arm.challenger.tree_digest),
    'challenger.tree_digest',
  );
  const refs = new Set(arms.map((arm) => contributionDigest(arm.transition.replacement)));
  const covered = new Set(authorityOrder);
  const isComplete = covered.size === authorityOrder.length && covered.size === refs.size;
  if (!isComplete || authorityOrder.some((ref) => !refs.has(ref))) {
    throw new PlanError('COHORT_ORDER', undefined, { field: 'authority_order' });
  }
  return {
    schema_version: 1,
    incumbent,
    arms: arms.toSorted((a, b) => compareCodePoints(delta(a), delta(b))).map(armDigest),
    entropy_digest: entropyDigest,
    authority_order: authorityOrder,
    execution_order: executionOrder(arms.map(delta), entropyDigest),
  };
}

export function cohortDigest(plan: CohortPlan): string {
  return canonicalDigest(COHORT_DOMAIN, plan);
}

function executionOrder(deltas: readonly string[], entropyDigest: string): string[] {
  return deltas
    .map((delta) => {
      const key = { entropy_digest: entropyDigest, selected_delta_digest: delta };
      return { delta, key: canonicalDigest(EXECUTION_KEY_DOMAIN, key) };
    })
    .sort((a, b) => compareCodePoints(a.key, b.key) || compareCodePoints(a.delta, b.delta))
    .map((row) => row.delta);
}

function requireDistinct(values: readonly string[], field: string): void {
  if (new Set(values).size !== values.length) throw new PlanError('COHORT_REPEATED', undefined, { field });
}
