import { attemptOf, deriveRun, type RunLog } from '../../evaluator/evidence/index.ts';
import { LaunchError, runtimeDigest } from '../../evaluator/launch/index.ts';
import type { Verdict } from '../../evaluator/statement/index.ts';
import { Attempt, Ended, undecided } from './attempt.ts';
import { auditCandidate } from './audit.ts';
import { buildModules } from './build.ts';
import { measuredFiles, unplannedFiles } from './files.ts';
import { gradeTrajectory } from './reference.ts';
import { emptyRecord, type Measurement } from './run.ts';
import { timePairs } from './timed.ts';
import type { BundleState, Qualified, QualifyDependencies, QualifyInput } from './types.ts';

/**
 * Measures one place of a cohort under the timing lock: build, audit (A), timed pairs (B and C), pristine grades (T).
 * Any failure ends with a verdict and the record so far; a local error never becomes FAIL.
 * @param signal the caller gives up: then there is no result
 * @throws LaunchError RUNTIME_DIFFERS, errors of the lock, or the signal's reason
 */
export async function qualify(
  input: QualifyInput,
  dependencies: QualifyDependencies,
  signal: AbortSignal,
): Promise<Qualified> {
  const { context, secret, bundle } = input;
  if (bundle.state !== 'planned') return unplanned(input, bundle);
  if (runtimeDigest(dependencies.runtime) !== context.rules.reference.runtime_digest) {
    throw new LaunchError('RUNTIME_DIFFERS', undefined, { field: 'runtime_digest' });
  }
  const { planned } = bundle;
  const run = deriveRun(context, secret, planned);
  return dependencies.withTimingLock(async () => {
    const attempt = new Attempt(context.rules.consensus.attempt_seconds, dependencies.clock, signal);
    const measurement: Measurement = { context, run, planned, attempt, dependencies, record: emptyRecord() };
    try {
      const { verdict, detail } = await measure(measurement);
      const log: RunLog = { stage: measurement.record.stage, elapsed_ms: attempt.elapsedMs(), detail };
      const files = measuredFiles(measurement, secret, log);
      return { ...verdict, selectedDeltaDigest: planned.selectedDeltaDigest, files };
    } finally {
      attempt.stop();
    }
  }, signal);
}

/** A place whose bundle a rule refuses, or whose bytes cannot be had: small evidence, nothing runs. */
function unplanned(input: QualifyInput, bundle: Exclude<BundleState, { state: 'planned' }>): Qualified {
  const verdict: Verdict =
    bundle.state === 'refused'
      ? { result: 'FAIL', reason: 'bundle_refused', speedup: null }
      : { result: 'NO_DECISION', reason: 'bytes_unavailable', speedup: null };
  const attempt = attemptOf(input.context, input.secret, null);
  const files = unplannedFiles(attempt, input.secret, { stage: 'plan', elapsed_ms: 0, detail: bundle.detail });
  return { ...verdict, selectedDeltaDigest: null, files };
}

async function measure(measurement: Measurement): Promise<{ verdict: Verdict; detail: string }> {
  const { dependencies, attempt, record } = measurement;
  const entering = (stage: 'build' | 'audit' | 'reference', pairs: number, speedup: string | null) =>
    dependencies.onProgress?.({ stage, pairs, speedup });
  try {
    entering('build', 0, null);
    const modules = await buildModules(measurement);
    entering('audit', 0, null);
    await auditCandidate(measurement, modules.candidate);
    const speedup = await timePairs(measurement, modules);
    entering('reference', record.times.length, speedup);
    await gradeTrajectory(measurement);
    if (attempt.isLate()) throw late(measurement);
    record.stage = 'done';
    return { verdict: { result: 'PASS', reason: null, speedup }, detail: '' };
  } catch (error) {
    if (error instanceof Ended) return { verdict: error.verdict, detail: error.message };
    throw error;
  }
}

/** T came too late: what it found does not count, as if it had not answered. */
function late({ record }: Measurement): Ended {
  record.graded = null;
  record.grades = null;
  record.facts.pop();
  return undecided('infrastructure', 'attempt_seconds were over before the pristine reference was done');
}
