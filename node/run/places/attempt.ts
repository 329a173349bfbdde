import { attemptOf } from '../../../evaluator/evidence/index.ts';
import type { JsonValue } from '../../../evaluator/identity/index.ts';
import { attemptDigest, type Rules } from '../../../evaluator/launch/index.ts';
import type { CohortDuties, PlaceDuty } from '../../../evaluator/peer/index.ts';
import type { Ledger } from '../../../evaluator/settle/index.ts';
import type { Attempt, Store } from '../../store/index.ts';
import type { NodeEvent } from '../events.ts';
import { type PlanDependencies, type Planned, planReservation } from './plan.ts';

/**
 * Finalized blocks before the show deadline at which waiting for a bundle ends, half of the window at most: in them the
 * attempts are anchored, one after the other, whatever a miner's host does.
 */
const GIVE_UP_BLOCKS = 12;
const SECRET_BYTES = 32;

export interface AttemptDependencies extends PlanDependencies {
  readonly store: Store;
  readonly rules: Rules;
  readonly hotkey: string;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly tell: (event: NodeEvent) => void;
}

/** True from the height at which an attempt is made of what is on this disk, without waiting for anybody. */
export function isLastCall(cohort: CohortDuties, height: number): boolean {
  const { assignment_block: drawn, show_deadline: deadline } = cohort;
  return height >= deadline - Math.min(GIVE_UP_BLOCKS, Math.floor((deadline - drawn) / 2));
}

/**
 * The attempt of a place: the stored one, or a new one that is durable, secret included, before anything of it is
 * anchored. (`peer-protocol.md` section 9)
 * @param height finalized height now: at the last call a bundle that is not here makes an attempt without plan
 * @throws what fetching or opening failed with, to be tried again; a local failure is never a reason to give up
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
  const { bundles } = dependencies;
  const hasBytes =
    !isLastCall(cohort, height) || (await bundles.isHeld(duty.reservation.content_hash, ledger.manifest));
  const planned = hasBytes ? await planReservation(duty.reservation, ledger.manifest, dependencies, signal) : null;
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
