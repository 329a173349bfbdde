import type { CohortDuties, PlaceDuty, ReadyDuty } from '../../evaluator/peer/index.ts';

/** Anchors that a place costs: its attempt and its receipt. */
const PLACE_ANCHORS = 2;
/** Kept for a cohort's ballots: one that is complete, or two. */
const BALLOT_ANCHORS = 2;
/** Kept for the ready anchor that changes the capacity itself. */
const READY_ANCHORS = 1;

/**
 * The capacity to declare: what this node can measure, but no more than the hotkey's commitment budget carries
 * (`peer-protocol.md` section 3). Nothing is changed while a cohort is open, and what was lowered is raised only to the
 * full: every change is an anchor itself.
 * @param most places of one cohort that this node can measure
 * @param left anchors left in this tempo, null while that is not known
 */
export function declaredCapacity(most: number, ready: ReadyDuty, isOpen: boolean, left: number | null): number {
  const hasRow = ready.anchored_at !== null;
  if (isOpen && hasRow) return Math.min(ready.capacity, most);
  if (left === null) return most;
  const carried = Math.max(0, Math.floor((left - BALLOT_ANCHORS - READY_ANCHORS) / PLACE_ANCHORS));
  if (carried >= most) return most;
  return hasRow ? Math.min(carried, ready.capacity) : carried;
}

/**
 * The places whose attempt may be anchored: those whose receipts, with all receipts that are owed already and a ballot,
 * the budget still carries. An attempt without its receipt costs as much as none.
 */
export function affordablePlaces({ places }: CohortDuties, left: number | null): ReadonlySet<number> {
  const wanted = places.filter(({ next }) => next === 'attempt').map(({ place }) => place);
  if (left === null) return new Set(wanted);
  const owed = places.filter(({ next }: PlaceDuty) => next === 'await_seed' || next === 'receipt').length;
  const fit = Math.max(0, Math.floor((left - owed - 1) / PLACE_ANCHORS));
  return new Set(wanted.slice(0, fit));
}
