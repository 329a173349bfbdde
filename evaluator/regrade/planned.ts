import { CacheonError } from '../../config/errors.ts';
import type { PlannedCandidate } from '../candidate/types.ts';
import type { Run, Stage } from '../evidence/index.ts';
import {
  attemptFile,
  attemptOf,
  deriveRun,
  manifestsFile,
  planFile,
  secretFile,
  selectionFile,
} from '../evidence/index.ts';
import { isObject, ObjectReader } from '../fields/index.ts';
import { isDigest, sha256Hex } from '../identity/index.ts';
import { type Attempt, attemptDigest } from '../launch/index.ts';
import type { Predicate } from '../statement/index.ts';
import { claim, ensure, RegradeError } from './errors.ts';
import { type EvidenceFiles, MissingBytes } from './files.ts';
import type { RegradeInput } from './types.ts';

/** Reads secret.json: 32 bytes. */
export function readSecret(files: EvidenceFiles): Uint8Array {
  return claim('ATTEMPT', () => {
    const reader = new ObjectReader(files.json('secret.json'), 'secret', ['schema_version', 'secret']);
    reader.literal('schema_version', 1);
    return Buffer.from(reader.text('secret', /^[0-9a-f]{64}$/), 'hex');
  });
}

/**
 * True if the anchored attempt names no plan. The digest is checked first, so that nobody waits for a bundle because
 * of what an author wrote into attempt.json later.
 */
export function isUnplanned(input: RegradeInput, files: EvidenceFiles): boolean {
  const attempt = claim('ATTEMPT', () => files.json('attempt.json'));
  ensure(attemptDigest(attempt as unknown as Attempt) === input.attemptDigest, 'ATTEMPT', 'not the anchored attempt');
  // Anything can be anchored: what is no attempt is the author's fault, and nobody waits for a bundle because of it.
  const plan = isObject(attempt) ? attempt['plan_digest'] : undefined;
  ensure(plan === null || isDigest(plan), 'ATTEMPT', 'no attempt was anchored');
  return plan === null;
}

/** A result without a plan: the bundle could not be had, or a rule refuses its files. */
export function gradeUnplanned(input: RegradeInput, files: EvidenceFiles, predicate: Predicate, stage: Stage): void {
  const secret = readSecret(files);
  requireAttempt(input, files, secret, null);
  files.requireSame('secret.json', secretFile(secret));
  ensure(stage === 'plan', 'VERDICT', 'nothing runs without a plan');
  ensure(predicate.selected_delta_digest === null, 'VERDICT', 'a delta without a plan');
  if (predicate.reason !== 'bundle_refused') return;
  if (input.bundle === null) throw new MissingBytes([], true);
  ensure(planOrNull(input, input.bundle) === null, 'BUNDLE', 'no rule refuses these files');
}

/** The planned candidate and everything that follows before anything runs, compared with the author's files. */
export function openPlanned(
  input: RegradeInput,
  files: EvidenceFiles,
  predicate: Predicate,
): { planned: PlannedCandidate; run: Run } {
  if (input.bundle === null) throw new MissingBytes([], true);
  const planned = planOrNull(input, input.bundle);
  ensure(planned !== null, 'BUNDLE', 'a rule refuses these files, so no plan can be anchored');
  const { context } = input;
  const isOurs =
    planned.incumbentStackDigest === context.incumbentStackDigest &&
    planned.incumbentTreeDigest === context.incumbentTreeDigest;
  if (!isOurs) throw new RegradeError('CONTEXT');
  const secret = readSecret(files);
  requireAttempt(input, files, secret, planned);
  const run = deriveRun(context, secret, planned);
  const sealed = files.has('trajectory.json') ? sha256Hex(files.bytes('trajectory.json')) : null;
  files.requireSame('secret.json', secretFile(secret));
  files.requireSame('plan.json', planFile(run, planned));
  files.requireSame('manifests.json', manifestsFile(planned));
  files.requireSame('selection.json', selectionFile(context, run, sealed));
  ensure(predicate.selected_delta_digest === planned.selectedDeltaDigest, 'VERDICT', 'another delta');
  return { planned, run };
}

function requireAttempt(
  input: RegradeInput,
  files: EvidenceFiles,
  secret: Uint8Array,
  planned: PlannedCandidate | null,
): void {
  const attempt = attemptOf(input.context, secret, planned);
  ensure(attemptDigest(attempt) === input.attemptDigest, 'ATTEMPT', 'another secret or plan was anchored');
  files.requireSame('attempt.json', attemptFile(attempt));
}

function planOrNull(input: RegradeInput, files: NonNullable<RegradeInput['bundle']>): PlannedCandidate | null {
  try {
    return input.plan(files);
  } catch (error) {
    if (error instanceof CacheonError && error.fault === 'candidate') return null;
    throw error;
  }
}
