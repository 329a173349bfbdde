import { placesOf } from './cohort.ts';
import type { Cohort } from './state.ts';

/** What the ballots of a cohort say about one place, the author's coldkey left out (section 7). */
export interface PlaceTally {
  readonly counted: boolean;
  /** Less than a quarter of the others' stake named it. */
  readonly belowQuarter: boolean;
}

export interface Tally {
  readonly quorum: boolean;
  readonly places: readonly PlaceTally[];
}

/** Counts the ballots at the close (section 7). Stakes are aged stakes of the active set, exact. */
export function tally(cohort: Cohort): Tally {
  const ballots = new Map(cohort.ballots.map((row) => [row.hotkey, BigInt(`0x${row.bitmap}`)]));
  const voters = cohort.active.map(({ hotkey, coldkey, stake }) => ({
    coldkey,
    stake: BigInt(stake),
    bitmap: ballots.get(hotkey) ?? null,
  }));
  const sum = (rows: typeof voters): bigint => rows.reduce((total, row) => total + row.stake, 0n);
  const places = placesOf(cohort).map((place, p): PlaceTally => {
    const others = voters.filter((row) => row.coldkey !== place.coldkey);
    const named = sum(others.filter((row) => row.bitmap !== null && (row.bitmap >> BigInt(p)) & 1n));
    const all = sum(others);
    return {
      counted: place.receipt !== null && named > 0n && 2n * named >= all,
      belowQuarter: 4n * named < all,
    };
  });
  const voted = sum(voters.filter((row) => row.bitmap !== null));
  const hasReceipt = placesOf(cohort).some((place) => place.receipt !== null);
  const nothingCounts = hasReceipt && !places.some((place) => place.counted);
  return { quorum: 2n * voted >= sum(voters) && !nothingCounts, places };
}
