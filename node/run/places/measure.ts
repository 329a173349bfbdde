import type { EvidenceFile, PlaceContext } from '../../../evaluator/evidence/index.ts';
import { evidenceRoot } from '../../../evaluator/evidence/index.ts';
import { sha256Hex } from '../../../evaluator/identity/index.ts';
import type { Rules } from '../../../evaluator/launch/index.ts';
import type { CohortDuties, PlaceDuty } from '../../../evaluator/peer/index.ts';
import type { Ledger } from '../../../evaluator/settle/index.ts';
import { type Predicate, receiptDigest, statementBytes, type Verdict } from '../../../evaluator/statement/index.ts';
import { type BundleState, type Qualified, type QualifyDependencies, qualify } from '../../../native/qualify/index.ts';
import type { Attempt, Store } from '../../store/index.ts';
import type { NodeEvent } from '../events.ts';
import type { HeldBlobs } from '../evidence/blobs.ts';
import type { Seals } from '../evidence/seal.ts';
import { type PlanDependencies, planReservation } from './plan.ts';

/** Decimals of a ratio shown while it is measured. */
const SHOWN_DECIMALS = 3;

export interface MeasureDependencies extends PlanDependencies {
  readonly store: Store;
  readonly blobs: HeldBlobs;
  readonly seals: Seals;
  readonly rules: Rules;
  readonly hotkey: string;
  /** Digest of the hotkey's binding of the node key as of now. */
  bindingDigest(): string;
  readonly qualify: Omit<QualifyDependencies, 'onProgress'>;
  readonly tell: (event: NodeEvent) => void;
}

/**
 * Measures one place whose attempt is anchored and whose seed exists, makes the evidence durable and sealed, and
 * records the receipt. After a crash in between it is measured again, under the same attempt and seed.
 * @throws what kept it from measuring: no result, to be tried again while there is time
 */
export async function measurePlace(
  duty: PlaceDuty & { readonly seed_hash: string },
  cohort: CohortDuties,
  attempt: Attempt,
  ledger: Ledger,
  dependencies: MeasureDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { rules, hotkey, tell } = dependencies;
  const context: PlaceContext = {
    rules,
    cohortIndex: cohort.index,
    place: duty.place,
    hotkey,
    reservationId: duty.reservation.reservation_id,
    incumbentStackDigest: cohort.incumbent_stack_digest,
    incumbentTreeDigest: ledger.tree_digest,
    blockHash: duty.seed_hash,
  };
  const bundle = await bundleState(duty, attempt, ledger, dependencies, signal);
  const secret = Buffer.from(attempt.secret, 'hex');
  const reservation = duty.reservation.reservation_id;
  const measured = await qualify(
    { context, secret, bundle },
    {
      ...dependencies.qualify,
      onProgress: ({ stage, pairs, speedup }) => {
        const ratio = speedup === null ? '' : `, x${Number(speedup).toFixed(SHOWN_DECIMALS)}`;
        const shown = pairs === 0 ? stage : `${stage}, pair ${pairs}${ratio}`;
        tell({ type: 'measuring', place: duty.place, reservation, stage: shown });
      },
    },
    signal,
  );
  await record(duty, cohort, attempt, measured, dependencies);
  const { result, reason, speedup } = measured;
  tell({ type: 'measured', place: duty.place, reservation, result, reason, speedup });
}

/** The bundle as the anchored attempt has it: an attempt without plan stays without one. */
async function bundleState(
  duty: PlaceDuty,
  attempt: Attempt,
  ledger: Ledger,
  dependencies: MeasureDependencies,
  signal: AbortSignal,
): Promise<BundleState> {
  const isPlanned = (attempt.attempt as { plan_digest: string | null }).plan_digest !== null;
  const late = { state: 'unavailable', detail: 'the bundle could not be had before the attempt' } as const;
  if (!isPlanned && !(await dependencies.bundles.isHeld(duty.reservation.content_hash, ledger.manifest))) return late;
  const planned = await planReservation(duty.reservation, ledger.manifest, dependencies, signal);
  if (planned.kind === 'refused') {
    const { code, message } = planned.error;
    return { state: 'refused', detail: `${code}: ${message}`.slice(0, 500) };
  }
  return isPlanned ? { state: 'planned', planned: planned.planned } : late;
}

async function record(
  duty: PlaceDuty,
  cohort: CohortDuties,
  attempt: Attempt,
  measured: Qualified,
  { blobs, seals, store, rules, bindingDigest }: MeasureDependencies,
): Promise<void> {
  const files: readonly EvidenceFile[] = measured.files;
  const root = evidenceRoot(files);
  const predicate: Predicate = {
    schema_version: 1,
    consensus_digest: rules.consensusDigest,
    cohort_index: cohort.index,
    place: duty.place,
    reservation_id: duty.reservation.reservation_id,
    attempt_digest: attempt.attempt_digest,
    selected_delta_digest: measured.selectedDeltaDigest,
    binding_digest: bindingDigest(),
    ...verdictOf(measured),
  };
  const statement = statementBytes({ evidenceRoot: sha256Hex(root), predicate });
  const receipt = receiptDigest(statement);
  // Sealed before it is stored: nobody may read a result before its cohort has opened. What was shown before, such as a
  // file of an earlier result of the same bundle, stays where others may still be fetching it.
  for (const bytes of [root, statement, ...files.map((file) => file.bytes)]) {
    const digest = sha256Hex(bytes);
    if (!blobs.isIndexed(digest)) seals.seal(cohort.index, digest);
  }
  for (const file of files) await blobs.put(file.bytes, 'evidence-file');
  const rootDigest = await blobs.put(root, 'evidence-root');
  await blobs.put(statement, 'statement');
  store.attempts.measured(cohort.index, duty.place, receipt, rootDigest);
}

function verdictOf({ result, reason, speedup }: Qualified): Verdict {
  return { result, reason, speedup } as Verdict;
}
