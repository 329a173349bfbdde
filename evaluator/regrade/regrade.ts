import { filesOf, parseLog, type RunLog } from '../evidence/index.ts';
import type { Graded } from '../peer/types.ts';
import { type Predicate, parseStatement, type Statement } from '../statement/index.ts';
import { claim, ensure, RegradeError, type RegradeErrorCode } from './errors.ts';
import { EvidenceFiles, MissingBytes, openRoot } from './files.ts';
import { gradeUnplanned, isUnplanned, openPlanned } from './planned.ts';
import { qualificationOf } from './qualification.ts';
import { gradeRun } from './run.ts';
import type { RegradeInput, RegradeOutcome } from './types.ts';

/**
 * Recomputes one result from the bytes reachable from its receipt digest, the bundle and the chain
 * (`peer-protocol.md` section 9). Pure; the same input gives the same outcome on every node.
 *
 * - `missing`: bytes are not here. Never a verdict.
 * - `invalid`: the author's fault, with a machine-readable code. `graded.result` is INVALID.
 * - `graded`: exactly what the statement says.
 *
 * @throws whatever is not the author's fault (planning against a wrong incumbent, a defect): a wait, never a verdict
 */
export function regrade(input: RegradeInput): RegradeOutcome {
  try {
    return grade(input);
  } catch (error) {
    if (error instanceof MissingBytes) return { status: 'missing', blobs: error.blobs, bundle: error.bundle };
    if (error instanceof RegradeError && error.fault === 'peer') return invalid(error.code, error.message);
    throw error;
  }
}

/** An INVALID outcome. */
export function invalid(code: RegradeErrorCode, detail: string): RegradeOutcome {
  const graded: Graded = {
    result: 'INVALID',
    speedup: null,
    target_id: null,
    members: [],
    selected_delta_digest: null,
    candidate_stack_digest: null,
  };
  return { status: 'invalid', graded, code, detail };
}

function grade(input: RegradeInput): RegradeOutcome {
  const statement = claim('STATEMENT', () => parseStatement(input.statement));
  const { predicate } = statement;
  requirePlace(input, statement);
  const files = new EvidenceFiles(openRoot(statement.evidenceRoot, input.blob), input.blob);
  const log = claim('LOG', () => parseLog(files.json('log.json')));
  requireTime(input, predicate, log);
  const { result, speedup, reason } = predicate;
  const none = { target_id: null, members: [], selected_delta_digest: null, candidate_stack_digest: null };
  if (isUnplanned(input, files)) {
    const rule = filesOf(predicate, log.stage, true);
    ensure(rule !== null, 'VERDICT', `no ${result} ${reason} ends in stage ${log.stage}`);
    files.requireExactly(rule.required, rule.optional);
    ensure(files.outputs().length === 0, 'FILES', 'outputs without an audit');
    gradeUnplanned(input, files, predicate, log.stage);
    return { status: 'graded', graded: { result, speedup, ...none }, reason, qualification: null, trajectory: null };
  }
  ensure(log.stage !== 'plan', 'VERDICT', 'a planned result does not end in planning');
  const opened = openPlanned(input, files, predicate);
  const trajectory = gradeRun(input, files, predicate, log, opened);
  const { planned, run } = opened;
  const graded: Graded = {
    result,
    speedup,
    target_id: planned.targetId,
    members: planned.members,
    selected_delta_digest: planned.selectedDeltaDigest,
    candidate_stack_digest: planned.candidateStackDigest,
  };
  const qualification =
    predicate.result === 'PASS'
      ? qualificationOf({
          context: input.context,
          reservation: input.reservation,
          run,
          planned,
          statement: input.statement,
          trajectory: files.bytes('trajectory.json'),
          speedup: predicate.speedup,
        })
      : null;
  return { status: 'graded', graded, reason, qualification, trajectory };
}

function requirePlace(input: RegradeInput, { predicate }: Statement): void {
  const { context } = input;
  const same =
    predicate.consensus_digest === context.rules.consensusDigest &&
    predicate.cohort_index === context.cohortIndex &&
    predicate.place === context.place &&
    predicate.reservation_id === context.reservationId &&
    predicate.attempt_digest === input.attemptDigest;
  ensure(same, 'PREDICATE');
}

/** attempt_seconds bounds a PASS and is what a missed deadline must have reached. */
function requireTime(input: RegradeInput, predicate: Predicate, log: RunLog): void {
  const bound = input.context.rules.consensus.attempt_seconds * 1000;
  if (predicate.result === 'PASS') ensure(log.elapsed_ms <= bound, 'LOG', 'a PASS after the deadline');
  if (predicate.reason === 'deadline') ensure(log.elapsed_ms >= bound, 'LOG', 'a deadline before its time');
}
