import type { Reservation } from './state.ts';

/**
 * The reservations that may be drawn, in their turn (section 6): revealed at S or before, no earlier one of the same
 * content in the queue; those with passes first, each other one behind the earlier ones of the same miner.
 * @param queue in order key order
 * @param opened S
 * @param coldkeyOf the miner's coldkey at E, null if unknown
 */
export function inTurn(
  queue: readonly Reservation[],
  opened: number,
  coldkeyOf: (hotkey: string) => string | null,
): Reservation[] {
  const contents = new Set<string>();
  const confirmed: Reservation[] = [];
  const ranked: { readonly rank: number; readonly reservation: Reservation }[] = [];
  const ranks = new Map<string, number>();
  for (const reservation of queue) {
    const first = !contents.has(reservation.content_hash);
    contents.add(reservation.content_hash);
    if (!first || reservation.block > opened) continue;
    if (reservation.passes > 0) {
      confirmed.push(reservation);
      continue;
    }
    const coldkey = coldkeyOf(reservation.hotkey);
    const miner = coldkey === null ? `hotkey ${reservation.hotkey}` : `coldkey ${coldkey}`;
    const rank = ranks.get(miner) ?? 0;
    ranks.set(miner, rank + 1);
    ranked.push({ rank, reservation });
  }
  ranked.sort((a, b) => a.rank - b.rank);
  return [...confirmed, ...ranked.map((row) => row.reservation)];
}
