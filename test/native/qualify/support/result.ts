import {
  attemptOf,
  deriveRun,
  type EvidenceFile,
  evidenceRoot,
  type PlaceContext,
} from '../../../../evaluator/evidence/index.ts';
import { sha256Hex, type TreeFile } from '../../../../evaluator/identity/index.ts';
import { attemptDigest } from '../../../../evaluator/launch/index.ts';
import { type RegradeInput, type RegradeOutcome, regrade } from '../../../../evaluator/regrade/index.ts';
import { type Predicate, statementBytes } from '../../../../evaluator/statement/index.ts';
import {
  type BundleState,
  type Progress,
  type Qualified,
  type QualifyDependencies,
  qualify,
} from '../../../../native/qualify/index.ts';
import { type Behaviour, FakeClock, FakeLanes, fakePrebuild } from './fake.ts';
import { MINER, RUNTIME, SECRET, type World } from './world.ts';

export interface Trial {
  readonly world: World;
  readonly files: readonly TreeFile[];
  readonly context: PlaceContext;
  readonly qualified: Qualified;
  readonly attemptDigest: string;
}

export interface TrialOptions {
  readonly place?: number;
  readonly secret?: Uint8Array;
  readonly state?: BundleState;
  readonly dependencies?: Partial<QualifyDependencies>;
  readonly signal?: AbortSignal;
}

/** Qualifies a bundle with fake lanes. */
export async function tryBundle(
  world: World,
  files: readonly TreeFile[],
  behaviour: Behaviour,
  options: TrialOptions = {},
): Promise<Trial & { lanes: FakeLanes; clock: FakeClock; progress: Progress[] }> {
  const clock = new FakeClock();
  const lanes = new FakeLanes(behaviour, clock, world.rules.speed.pairs);
  const progress: Progress[] = [];
  const context = world.context(files, options.place);
  const secret = options.secret ?? SECRET;
  const bundle = options.state ?? { state: 'planned', planned: world.plan(files) };
  const qualified = await qualify(
    { context, secret, bundle },
    {
      lanes,
      prebuild: fakePrebuild,
      withTimingLock: (work) => work(),
      clock,
      runtime: RUNTIME,
      onProgress: (row) => progress.push(row),
      ...options.dependencies,
    },
    options.signal ?? new AbortController().signal,
  );
  const planned = bundle.state === 'planned' ? bundle.planned : null;
  const digest =
    planned === null
      ? attemptDigest(attemptOf(context, secret, null))
      : deriveRun(context, secret, planned).attemptDigest;
  return { world, files, context, qualified, attemptDigest: digest, lanes, clock, progress };
}

/** A result as its author would publish it, from any files and any claims. */
export function publish(
  trial: Trial,
  files: readonly EvidenceFile[] = trial.qualified.files,
  claims: Partial<Record<keyof Predicate, unknown>> = {},
): { statement: Uint8Array; blobs: Map<string, Uint8Array> } {
  const root = evidenceRoot(files);
  const blobs = new Map(files.map((file) => [sha256Hex(file.bytes), file.bytes]));
  blobs.set(sha256Hex(root), root);
  const { result, reason, speedup, selectedDeltaDigest } = trial.qualified;
  const predicate = {
    schema_version: 1,
    consensus_digest: trial.context.rules.consensusDigest,
    cohort_index: trial.context.cohortIndex,
    place: trial.context.place,
    reservation_id: trial.context.reservationId,
    attempt_digest: trial.attemptDigest,
    result,
    reason,
    speedup,
    selected_delta_digest: selectedDeltaDigest,
    binding_digest: sha256Hex('binding'),
    ...claims,
  } as Predicate;
  return { statement: statementBytes({ evidenceRoot: sha256Hex(root), predicate }), blobs };
}

/** Regrades a published result as any other node would. */
export function regradeTrial(
  trial: Trial,
  published: { readonly statement: Uint8Array; readonly blobs: ReadonlyMap<string, Uint8Array> } = publish(trial),
  changes: Partial<RegradeInput> = {},
): RegradeOutcome {
  return regrade({
    statement: published.statement,
    blob: (digest) => published.blobs.get(digest) ?? null,
    bundle: trial.files,
    context: trial.context,
    reservation: { hotkey: MINER, block: 17, event_index: 2, event_subindex: 0 },
    attemptDigest: trial.attemptDigest,
    plan: trial.world.plan,
    ...changes,
  });
}

/** One line of what regrade says. */
export function summary(outcome: RegradeOutcome): string {
  if (outcome.status === 'missing') return `missing ${outcome.blobs.length} ${outcome.bundle}`;
  if (outcome.status === 'invalid') return `INVALID ${outcome.code}`;
  return `${outcome.graded.result} ${outcome.reason} ${outcome.graded.speedup}`;
}

/** The JSON of an evidence file, for tests that read or change it. */
export function jsonOf(files: readonly EvidenceFile[], name: string): Record<string, unknown> {
  const file = files.find((row) => row.name === name);
  return JSON.parse(Buffer.from(file?.bytes ?? []).toString('utf8')) as Record<string, unknown>;
}
