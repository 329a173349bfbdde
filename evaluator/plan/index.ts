export {
  type ArmIdentity,
  armDigest,
  type MarginalArm,
  marginalArm,
  type RollbackPlan,
  reconstruct,
  rollbackDigest,
  rollbackOf,
} from './arm.ts';
export { type CohortPlan, cohortDigest, planCohort } from './cohort.ts';
export { PLAN_ERRORS, PlanError, type PlanErrorCode } from './errors.ts';
export { type PlannedTransition, planTransition, type StackTransition } from './transition.ts';
