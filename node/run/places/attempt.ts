import { attemptOf } from '../../../evaluator/evidence/index.ts';
import type { JsonValue } from '../../../evaluator/identity/index.ts';
import { attemptDigest, type Rules } from '../../../evaluator/launch/index.ts';
import type { CohortDuties, PlaceDuty } from '../../../evaluator/peer/index.ts';
import type { Ledger } from '../../../evaluator/settle/index.ts';
import type { Attempt, Store } from '../../store/index.ts';
import type { NodeEvent } from '../events.ts';
import { type PlanDependencies, type Planned, planReservation } from './plan.ts';

/** Finalized blocks before the show deadline at which waiting for a bundle ends. */
const GIVE_UP_BLOCKS = 12;
const SECRET_BYTES = 32;

export interface AttemptDependencies extends PlanDependencies {
  readonly store: Store;
  readonly rules: Rules;
  readonly hotkey: string;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly tell: (event: NodeEvent) => void;
}

/**
 * The attempt of a place: the stored one, or a new one that is durable, secret included, before anything of it is
 * anchored. (`peer-protocol.md` section 9)
 * @param height finalized height now: near the show deadline a bundle that cannot be had makes an attempt without plan
 * @throws what fetching or opening the incumbent failed with, to be tried again
 */
export async function ensureAttempt(
  duty: PlaceDuty,
  cohort: CohortDuties,
  ledger: Ledger,
  height: number,
  dependencies: AttemptDependencies,
  signal: AbortSignal,
): Promise<Attempt> {
  const { store } = dependencies;
  const stored = store.attempts.get(cohort.index, duty.place);
  if (stored !== null) return stored;
  const planned = await planOrGiveUp(duty, cohort, ledger, height, dependencies, signal);
  tellPlan(duty, planned, dependencies.tell);
  const secret = dependencies.randomBytes(SECRET_BYTES);
  const attempt = attemptOf(
    {
      rules: dependencies.rules,
      cohortIndex: cohort.index,
      place: duty.place,
      hotkey: dependencies.hotkey,
      reservationId: duty.reservation.reservation_id,
      incumbentStackDigest: cohort.incumbent_stack_digest,
      incumbentTreeDigest: ledger.tree_digest,
    },
    secret,
    planned?.kind === 'planned' ? planned.planned : null,
  );
  store.attempts.plan({
    cohort_index: cohort.index,
    place: duty.place,
    attempt_digest: attemptDigest(attempt),
    attempt: attempt as unknown as JsonValue,
    secret: Buffer.from(secret).toString('hex'),
    plan: null,
  });
  return store.attempts.get(cohort.index, duty.place) as Attempt;
}

/** Null if the bundle cannot be had and there is no more time to wait for it. */
async function planOrGiveUp(
  duty: PlaceDuty,
  cohort: CohortDuties,
  ledger: Ledger,
  height: number,
  dependencies: AttemptDependencies,
  signal: AbortSignal,
): Promise<Planned | null> {
  try {
    return await planReservation(duty.reservation, ledger.manifest, dependencies, signal);
  } catch (error) {
    if (signal.aborted || height < cohort.show_deadline - GIVE_UP_BLOCKS) throw error;
    return null;
  }
}

function tellPlan(duty: PlaceDuty, planned: Planned | null, tell: (event: NodeEvent) => void): void {
  const reservation = duty.reservation.reservation_id;
  if (planned === null) {
    tell({ type: 'unavailable', reservation, why: 'nobody delivers its bytes in time' });
    return;
  }
  const bytes = planned.files.reduce((sum, file) => sum + file.data.length, 0);
  tell({ type: 'fetched', reservation, files: planned.files.length, bytes });
  if (planned.kind === 'refused') {
    tell({ type: 'bundle_refused', reservation, why: `${planned.error.code} ${planned.error.field ?? ''}`.trim() });
    return;
  }
  const { targetId, selectedDeltaDigest } = planned.planned;
  tell({ type: 'screened', reservation, target: targetId, delta: selectedDeltaDigest });
}
