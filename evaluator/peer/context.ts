import { placeAt } from './cohort.ts';
import type { Cohort, FoldState, Reservation } from './state.ts';
import type { PlaceContext, ReservationRef } from './types.ts';

/** The queued reservation of a member: cohort members stay in the queue until the close. */
export function reservationOf(state: FoldState, reservationId: string): Reservation {
  return state.queue.find((reservation) => reservation.reservation_id === reservationId) as Reservation;
}

/** What a reservation says, without what became of it. */
export function referenceOf(reservation: Reservation): ReservationRef {
  const { reservation_id, hotkey, content_hash, url, block, event_index, event_subindex } = reservation;
  return { reservation_id, hotkey, content_hash, url, block, event_index, event_subindex };
}

/** Everything that regrade is told about a place; null unless a receipt is counted there. */
export function placeContext(state: FoldState, cohort: Cohort, number: number): PlaceContext | null {
  const place = placeAt(cohort, number);
  const member = cohort.members[number >> 1];
  if (member === undefined || place === null || place.attempt === null || place.receipt === null) return null;
  return {
    consensus_digest: state.consensus_digest,
    cohort_index: cohort.index,
    place: number,
    side: (number & 1) as 0 | 1,
    hotkey: place.hotkey,
    coldkey: place.coldkey,
    incumbent_stack_digest: cohort.incumbent_stack_digest,
    reservation: referenceOf(reservationOf(state, member.reservation_id)),
    attempt_digest: place.attempt.digest,
    attempt_height: place.attempt.height,
    // A receipt counts above attempt height + lag_blocks only, so that block has been stepped.
    seed_hash: place.seed_hash as string,
    receipt_digest: place.receipt.digest,
  };
}
