import { ZERO_DIGEST } from '../identity/index.ts';
import { placesOf } from './cohort.ts';
import { placeContext, referenceOf, reservationOf } from './context.ts';
import type { Cohort, CountedAnchor, FoldState, Place } from './state.ts';
import type { PlaceContext, ReservationRef } from './types.ts';

/** What a validator has to do, derived from the state alone: the same state gives the same list after a restart. */
export interface Duties {
  readonly ready: ReadyDuty;
  /** Null while no cohort is open. */
  readonly cohort: CohortDuties | null;
}

export interface ReadyDuty {
  /** 0 without a row. */
  readonly capacity: number;
  /** Height of the counted ready anchor, null without a row. */
  readonly anchored_at: number | null;
  /** First height at which the row is gone unless a later ready anchor counts. */
  readonly expires_at: number | null;
}

export interface CohortDuties {
  readonly index: number;
  readonly phase: 'measuring' | 'ballots';
  readonly opened: number;
  readonly assignment_block: number;
  readonly incumbent_stack_digest: string;
  /** Last heights at which an attempt and a receipt count. */
  readonly show_deadline: number;
  readonly measure_deadline: number;
  /** o, once reached: from then on everybody offers the bytes he holds, his own included. */
  readonly opening_height: number | null;
  /** Places drawn for this validator. */
  readonly places: readonly PlaceDuty[];
  /** Every counted receipt, its own included: to fetch, regrade and name in the ballot. */
  readonly receipts: readonly ReceiptDuty[];
  /** Null while ballots do not count yet, and for who is not active. */
  readonly ballot: BallotDuty | null;
}

/** What is to be done next at a place; `missed` is final for this cohort. */
export type NextAtPlace = 'attempt' | 'await_seed' | 'receipt' | 'done' | 'missed';

export interface PlaceDuty {
  readonly place: number;
  readonly side: 0 | 1;
  readonly reservation: ReservationRef;
  readonly next: NextAtPlace;
  readonly attempt: CountedAnchor | null;
  /** Attempt height + lag_blocks; a receipt counts above it only. */
  readonly seed_height: number | null;
  /** Hash of the block at seed_height, once finalized. */
  readonly seed_hash: string | null;
  readonly receipt: CountedAnchor | null;
}

export interface ReceiptDuty extends PlaceContext {
  /** True for this validator's own places. */
  readonly own: boolean;
  /** True if a counted ballot of this validator names it. */
  readonly named: boolean;
}

export interface BallotDuty {
  readonly opening_height: number;
  /** Last height at which a ballot counts; the cohort closes in it. */
  readonly close_height: number;
  /** Record digest that the ballot names: all zero before the first record. */
  readonly previous: string;
  readonly counted: boolean;
  /** Counted bitmaps of this validator or-ed, 16 hex digits. */
  readonly bitmap: string;
}

/**
 * The duties of a validator's hotkey.
 * @param height the last finalized height known here, at or above the state's: an anchor lands above it
 */
export function dutiesOf(state: FoldState, hotkey: string, height: number): Duties {
  const { phase } = state;
  const open = phase.kind === 'measuring' || phase.kind === 'ballots';
  return { ready: readyDuty(state, hotkey), cohort: open ? cohortDuties(state, phase, hotkey, height) : null };
}

function readyDuty(state: FoldState, hotkey: string): ReadyDuty {
  const row = state.ready.find((ready) => ready.hotkey === hotkey);
  if (row === undefined) return { capacity: 0, anchored_at: null, expires_at: null };
  const expires_at = row.height + state.consensus.ready_blocks;
  return { capacity: row.capacity, anchored_at: row.height, expires_at };
}

type OpenPhase = Extract<FoldState['phase'], { readonly cohort: Cohort }>;

function cohortDuties(state: FoldState, phase: OpenPhase, hotkey: string, height: number): CohortDuties {
  const { cohort } = phase;
  const { show_blocks, measure_blocks } = state.consensus;
  const opening_height = phase.kind === 'ballots' ? phase.opening_height : null;
  const ballot = opening_height === null ? null : ballotDuty(state, cohort, opening_height, hotkey);
  const measure_deadline = cohort.assignment_block + measure_blocks;
  const show_deadline = Math.min(cohort.assignment_block + show_blocks, measure_deadline);
  const places = placesOf(cohort).flatMap((place, number): PlaceDuty[] => {
    if (place.hotkey !== hotkey) return [];
    const next = opening_height === null ? nextAt(place, height, show_deadline, measure_deadline) : endedAs(place);
    return [placeDuty(state, cohort, place, number, next)];
  });
  return {
    index: cohort.index,
    phase: phase.kind,
    opened: cohort.opened,
    assignment_block: cohort.assignment_block,
    incumbent_stack_digest: cohort.incumbent_stack_digest,
    show_deadline,
    measure_deadline,
    opening_height,
    places,
    receipts: receiptDuties(state, cohort, hotkey),
    ballot,
  };
}

function nextAt(place: Place, height: number, showDeadline: number, measureDeadline: number): NextAtPlace {
  if (place.receipt !== null) return 'done';
  if (place.attempt === null) return height < showDeadline ? 'attempt' : 'missed';
  if (height >= measureDeadline) return 'missed';
  return place.seed_hash === null ? 'await_seed' : 'receipt';
}

function endedAs(place: Place): NextAtPlace {
  return place.receipt === null ? 'missed' : 'done';
}

function placeDuty(state: FoldState, cohort: Cohort, place: Place, number: number, next: NextAtPlace): PlaceDuty {
  const { attempt, seed_hash, receipt } = place;
  const id = cohort.members[number >> 1]?.reservation_id as string;
  return {
    place: number,
    side: (number & 1) as 0 | 1,
    reservation: referenceOf(reservationOf(state, id)),
    next,
    attempt,
    seed_height: attempt === null ? null : attempt.height + state.consensus.lag_blocks,
    seed_hash,
    receipt,
  };
}

function receiptDuties(state: FoldState, cohort: Cohort, hotkey: string): ReceiptDuty[] {
  const bitmap = BigInt(`0x${bitmapOf(cohort, hotkey) ?? '0'}`);
  return placesOf(cohort).flatMap((_, number): ReceiptDuty[] => {
    const context = placeContext(state, cohort, number);
    if (context === null) return [];
    return [{ ...context, own: context.hotkey === hotkey, named: ((bitmap >> BigInt(number)) & 1n) === 1n }];
  });
}

function ballotDuty(state: FoldState, cohort: Cohort, openingHeight: number, hotkey: string): BallotDuty | null {
  if (!cohort.active.some((row) => row.hotkey === hotkey)) return null;
  const bitmap = bitmapOf(cohort, hotkey);
  return {
    opening_height: openingHeight,
    close_height: openingHeight + state.consensus.ballot_blocks,
    previous: state.record_digest === '' ? ZERO_DIGEST : state.record_digest,
    counted: bitmap !== null,
    bitmap: bitmap ?? '0'.repeat(16),
  };
}

function bitmapOf(cohort: Cohort, hotkey: string): string | null {
  return cohort.ballots.find((row) => row.hotkey === hotkey)?.bitmap ?? null;
}
