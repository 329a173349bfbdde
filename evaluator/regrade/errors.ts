import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type RegradeErrorCode =
  | 'STATEMENT'
  | 'PREDICATE'
  | 'ROOT'
  | 'FILES'
  | 'LOG'
  | 'ATTEMPT'
  | 'BUNDLE'
  | 'DERIVED'
  | 'BUILD'
  | 'AUDIT'
  | 'LAUNCH'
  | 'SCHEDULE'
  | 'BLOCKS'
  | 'TRAJECTORY'
  | 'REFERENCE'
  | 'VERDICT'
  | 'CONTEXT';

/** Why a result is INVALID; only CONTEXT is this node's own fault and never becomes a verdict. */
export const REGRADE_ERRORS: ErrorTable<RegradeErrorCode> = {
  STATEMENT: { fault: 'peer', what: 'statement malformed', remedy: 'canonical in-toto Statement v1 of names.md' },
  PREDICATE: { fault: 'peer', what: 'the statement is about another place', remedy: 'the place that was drawn' },
  ROOT: { fault: 'peer', what: 'evidence root malformed or over its bounds', remedy: 'peer-protocol.md section 9' },
  FILES: { fault: 'peer', what: 'missing, unexpected or oddly sized evidence files', remedy: 'those of the stage' },
  LOG: { fault: 'peer', what: 'log.json malformed, or its time refutes the verdict', remedy: 'its closed schema' },
  ATTEMPT: { fault: 'peer', what: 'not the attempt that was anchored', remedy: 'the attempt and its secret' },
  BUNDLE: { fault: 'peer', what: 'the bundle is not what the result says of it', remedy: 'what planning says' },
  DERIVED: { fault: 'peer', what: 'a file differs from what chain, bundle and secret give', remedy: 'exactly that' },
  BUILD: { fault: 'peer', what: 'build facts malformed or against the verdict', remedy: 'one row for every build' },
  AUDIT: { fault: 'peer', what: 'audit facts or outputs against the verdict', remedy: 'what the reference says' },
  LAUNCH: { fault: 'peer', what: 'launch identities are not those of the run', remedy: 'those of plan and build' },
  SCHEDULE: { fault: 'peer', what: 'the schedule is not that of seed and calibration', remedy: 'exactly that' },
  BLOCKS: { fault: 'peer', what: 'block times malformed or against the verdict', remedy: 'what the policy says' },
  TRAJECTORY: { fault: 'peer', what: 'trajectory malformed', remedy: 'the tokens that were asked for' },
  REFERENCE: { fault: 'peer', what: 'reference grades malformed or against the verdict', remedy: 'what T says' },
  VERDICT: { fault: 'peer', what: 'result, reason or speedup are not what the evidence gives', remedy: 'exactly that' },
  CONTEXT: {
    fault: 'infrastructure',
    what: 'this node planned against another incumbent than the chain fixes',
    remedy: 'replay the state; report the defect',
  },
};

export class RegradeError extends CacheonError<RegradeErrorCode> {
  constructor(code: RegradeErrorCode, message?: string, details?: ErrorDetails) {
    super(code, REGRADE_ERRORS[code], message, details);
  }
}

/**
 * Runs a check of an author's bytes; what it refuses becomes INVALID under `code`. Any other error passes: a defect
 * or a full disk here must never become a verdict.
 */
export function claim<T>(code: RegradeErrorCode, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof RegradeError || !(error instanceof CacheonError) || error.fault !== 'peer') throw error;
    throw new RegradeError(code, error.message, { cause: error });
  }
}

/** Refuses the result unless `holds`. @throws RegradeError */
export function ensure(holds: boolean, code: RegradeErrorCode, message?: string): asserts holds {
  if (!holds) throw new RegradeError(code, message);
}
