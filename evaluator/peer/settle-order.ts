import { compareDecimals, leadsBy, parseSpeedup } from '../identity/index.ts';
import type { Fate } from './record.ts';
import type { Reservation } from './state.ts';
import type { Graded, RipeCandidate } from './types.ts';

/** A member whose pair was accepted. */
export interface Candidate {
  readonly reservation: Reservation;
  readonly receipts: readonly [string, string];
  readonly speedups: readonly [string, string];
  /** Side 0's grade. */
  readonly primary: Graded;
}

export interface Sorted {
  /** Of the candidates that are not ripe. */
  readonly fates: ReadonlyMap<string, Fate>;
  readonly ripe: readonly RipeCandidate[];
}

/**
 * Sorts the candidates of a close (section 8): duplicates of an earlier candidate's delta are held, those behind an
 * earlier pending reservation wait, those with confirmations to come are confirmed; the rest are ripe.
 * @param candidates in order key order
 * @param queue what is still queued after section 7, in order key order, the candidates included
 */
export function sortCandidates(
  candidates: readonly Candidate[],
  queue: readonly Reservation[],
  confirmations: number,
): Sorted {
  const fates = new Map<string, Fate>();
  const ripe: RipeCandidate[] = [];
  const deltas = new Set<string>();
  const ids = new Set(candidates.map((candidate) => candidate.reservation.reservation_id));
  for (const candidate of candidates) {
    const { reservation_id, passes } = candidate.reservation;
    const delta = candidate.primary.selected_delta_digest as string;
    const earlier = queue.slice(
      0,
      queue.findIndex((row) => row.reservation_id === reservation_id),
    );
    const pending = earlier.some((row) => row.delta === delta && !ids.has(row.reservation_id));
    if (deltas.has(delta)) fates.set(reservation_id, { disposition: 'held', reason: 'duplicate_delta' });
    else if (pending) fates.set(reservation_id, { disposition: 'earlier_pending', reason: null });
    else if (passes + 1 < confirmations) fates.set(reservation_id, { disposition: 'confirmed', reason: null });
    else ripe.push(ripeCandidate(candidate));
    deltas.add(delta);
  }
  return { fates, ripe };
}

function ripeCandidate({ reservation, receipts, speedups, primary }: Candidate): RipeCandidate {
  const [a, b] = speedups;
  const speedup = compareDecimals(parseSpeedup(a), parseSpeedup(b)) <= 0 ? a : b;
  return { reservation_id: reservation.reservation_id, receipts, speedup, primary };
}

/** Index of the winner (settlement-order.v2): a later one needs a lead of precedence_ppm over the current one. */
export function winnerOf(ripe: readonly RipeCandidate[], precedencePpm: number): number {
  let winner = 0;
  for (let i = 1; i < ripe.length; i++) {
    const [challenger, current] = [ripe[i] as RipeCandidate, ripe[winner] as RipeCandidate];
    if (leadsBy(parseSpeedup(challenger.speedup), parseSpeedup(current.speedup), precedencePpm)) winner = i;
  }
  return winner;
}

/** What becomes of each ripe candidate once one of them is crowned. */
export function ripeFates(ripe: readonly RipeCandidate[], winner: number): Map<string, Fate> {
  const crowned = new Set(ripe[winner]?.primary.members);
  return new Map(
    ripe.map((candidate, i): [string, Fate] => {
      const overlaps = candidate.primary.members.some((member) => crowned.has(member));
      const disposition = i === winner ? 'crowned' : overlaps ? 'conflict_lost' : 'incumbent_advanced';
      return [candidate.reservation_id, { disposition, reason: null }];
    }),
  );
}
