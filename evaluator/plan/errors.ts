import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type PlanErrorCode =
  | 'PLAN_CATALOG'
  | 'PLAN_UNKNOWN_TARGET'
  | 'PLAN_STALE_TARGET_SPEC'
  | 'PLAN_NO_DELTA'
  | 'PLAN_DECOMPOSES'
  | 'PLAN_TREE_UNCHANGED'
  | 'ROLLBACK_NOT_CURRENT'
  | 'COHORT_EMPTY'
  | 'COHORT_INCUMBENT'
  | 'COHORT_REPEATED'
  | 'COHORT_ORDER';

/** Errors of planning one marginal change, its rollback and a cohort of such changes. */
export const PLAN_ERRORS: ErrorTable<PlanErrorCode> = {
  PLAN_CATALOG: {
    fault: 'operator',
    what: 'the catalog is not the one that manifest and context name',
    remedy: 'the same snapshot in all three',
  },
  PLAN_UNKNOWN_TARGET: { fault: 'candidate', what: 'unknown target', remedy: 'a target of the ruling catalog' },
  PLAN_STALE_TARGET_SPEC: {
    fault: 'candidate',
    what: 'the replacement was made for another target spec',
    remedy: 'package the proposal against the ruling catalog',
  },
  PLAN_NO_DELTA: {
    fault: 'candidate',
    what: 'the active contribution already has this selected delta',
    remedy: 'a change of what is executed',
  },
  PLAN_DECOMPOSES: {
    fault: 'candidate',
    what: 'would decompose an active target that displaces the new one',
    remedy: 'a proposal for the active wider target',
  },
  PLAN_TREE_UNCHANGED: {
    fault: 'candidate',
    what: "the candidate's tree is the incumbent's",
    remedy: 'a contribution that changes emitted files',
  },
  ROLLBACK_NOT_CURRENT: {
    fault: 'operator',
    what: 'the current stack or tree is not what this rollback undoes',
    remedy: 'plan against the current stack',
  },
  COHORT_EMPTY: { fault: 'operator', what: 'a cohort without arms', remedy: 'at least one arm' },
  COHORT_INCUMBENT: { fault: 'operator', what: 'arms of different incumbents', remedy: 'one frozen incumbent' },
  COHORT_REPEATED: {
    fault: 'operator',
    what: 'two arms with the same delta, candidate stack or candidate tree',
    remedy: 'arms that differ in all three',
  },
  COHORT_ORDER: {
    fault: 'operator',
    what: 'the authority order does not cover each contribution once',
    remedy: 'every replacement once, in arrival order',
  },
};

export class PlanError extends CacheonError<PlanErrorCode> {
  constructor(code: PlanErrorCode, message?: string, details?: ErrorDetails) {
    super(code, PLAN_ERRORS[code], message, details);
  }
}
