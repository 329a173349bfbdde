import type { PlannedCandidate } from '../candidate/types.ts';
import {
  type BuildFact,
  buildTasks,
  expectedLaunches,
  filesOf,
  type GradedSequence,
  launchFile,
  parseBuild,
  parseLaunch,
  type Run,
  type RunLog,
  type Schedule,
} from '../evidence/index.ts';
import { canonicalBytes } from '../identity/index.ts';
import { runtimeDigest } from '../launch/index.ts';
import type { Predicate } from '../statement/index.ts';
import { checkAudit } from './audit.ts';
import { claim, ensure } from './errors.ts';
import type { EvidenceFiles } from './files.ts';
import { checkTrajectory, readGrades, tokensHold } from './reference.ts';
import { checkCutTiming, checkSchedule, gradeBlocks } from './timed.ts';
import type { GradedTrajectory, RegradeInput } from './types.ts';

/** Reasons that end a run in whatever stage it is in. */
const CUT = new Set<string | null>(['crashed', 'deadline', 'infrastructure']);

/**
 * Recomputes the verdict of a planned result, stage by stage.
 * @returns what T graded, null if the run ended before T
 * @throws RegradeError if the evidence does not give exactly this verdict
 */
export function gradeRun(
  input: RegradeInput,
  files: EvidenceFiles,
  predicate: Predicate,
  log: RunLog,
  { planned, run }: { readonly planned: PlannedCandidate; readonly run: Run },
): GradedTrajectory | null {
  const { context } = input;
  const cut = CUT.has(predicate.reason);
  const { stage } = log;
  requireFiles(files, predicate, log, true);
  if (!files.has('audit.json')) ensure(files.outputs().length === 0, 'FILES', 'outputs without an audit');

  const build = files.has('build.json') ? checkBuild(planned, files, cut && stage === 'build', predicate) : [];
  if (!files.has('audit.json')) return null;

  const refuted = checkAudit(context.rules, run, planned, files);
  ensure(refuted === (predicate.reason === 'audit_mismatch'), 'VERDICT', 'the audit says otherwise');
  const launched = { input, files, planned, run, build };
  if (stage === 'audit' || (stage === 'timed' && cut)) {
    if (stage === 'timed') checkCutTiming(context, run, files);
    checkLaunches(launched, null);
    return null;
  }

  const schedule = checkSchedule(context, run, files);
  const speed = gradeBlocks(context, run, schedule, files);
  if (stage === 'timed') {
    ensure(speed.reason === predicate.reason, 'VERDICT', `the blocks give ${speed.result} ${speed.reason}`);
    checkLaunches(launched, { schedule, graded: null });
    return null;
  }
  ensure(speed.result === 'PASS', 'VERDICT', `the blocks give ${speed.result} ${speed.reason}`);

  const sealed = checkTrajectory(run, schedule, files);
  requireFiles(files, predicate, log, sealed.consistent);
  if (!sealed.consistent) ensure(predicate.reason === 'reference_mismatch', 'VERDICT', 'tokens differ by occurrence');
  if (cut || !sealed.consistent) {
    checkLaunches(launched, { schedule, graded: null });
    return null;
  }
  const trajectory = readGrades(run, schedule, sealed, files);
  const hold = claim('REFERENCE', () =>
    tokensHold(trajectory.sequences, trajectory.grades, context.rules.evaluation.logit_margin),
  );
  ensure(hold === (predicate.result === 'PASS'), 'VERDICT', 'the graded tokens say otherwise');
  ensure(!hold || speed.speedup === predicate.speedup, 'VERDICT', `the blocks give ${speed.speedup}`);
  checkLaunches(launched, { schedule, graded: trajectory.sequences });
  return trajectory;
}

function requireFiles(files: EvidenceFiles, predicate: Predicate, log: RunLog, consistent: boolean): void {
  const rule = filesOf(predicate, log.stage, consistent);
  ensure(rule !== null, 'VERDICT', `no ${predicate.result} ${predicate.reason} ends in stage ${log.stage}`);
  // Whether a trajectory is consistent is known only later; then the files are checked again.
  const open = consistent && predicate.reason === 'reference_mismatch';
  const required = open ? rule.required.filter((name) => name !== 'reference.json') : rule.required;
  files.requireExactly(required, open ? ['reference.json'] : rule.optional);
}

function checkBuild(planned: PlannedCandidate, files: EvidenceFiles, open: boolean, predicate: Predicate): BuildFact[] {
  const tasks = buildTasks(planned);
  const build = claim('BUILD', () => parseBuild(files.json('build.json'), tasks));
  if (open) return build;
  const last = build.at(-1);
  if (predicate.reason === 'build_failed') {
    const failed = last !== undefined && last.sha256 === null && last.task.owner === 'proposal';
    ensure(failed && build.slice(0, -1).every((row) => row.sha256 !== null), 'BUILD', 'no row of the proposal failed');
    return build;
  }
  const complete = build.length === tasks.length && build.every((row) => row.sha256 !== null);
  ensure(complete, 'BUILD', 'a row was not built');
  return build;
}

function checkLaunches(
  launched: {
    readonly input: RegradeInput;
    readonly files: EvidenceFiles;
    readonly planned: PlannedCandidate;
    readonly run: Run;
    readonly build: readonly BuildFact[];
  },
  timed: { readonly schedule: Schedule; readonly graded: readonly GradedSequence[] | null } | null,
): void {
  const { input, files, planned, run, build } = launched;
  const launches = expectedLaunches(input.context, run, planned, build, timed);
  const record = claim('LAUNCH', () => parseLaunch(files.json('launch.json'), launches.length));
  const sameRuntime = runtimeDigest(record.runtime) === input.context.rules.reference.runtime_digest;
  ensure(sameRuntime, 'LAUNCH', 'measured on another runtime than the arena fixes');
  const same = Buffer.compare(files.bytes('launch.json'), canonicalBytes(launchFile(launches, record))) === 0;
  ensure(same, 'LAUNCH', 'launches differ from what plan, build and schedule give');
}
