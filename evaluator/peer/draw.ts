import { canonicalDigest } from '../identity/index.ts';
import type { ActiveRow, Member, Place, ReadyRow, Reservation } from './state.ts';

export interface DrawInput {
  /** Those that may be drawn, in their turn. */
  readonly turn: readonly Reservation[];
  /** Sorted by hotkey. */
  readonly active: readonly ActiveRow[];
  readonly ready: readonly ReadyRow[];
  readonly maxCohort: number;
  /** "0x..." hash of block E. */
  readonly entropy: string;
  /** A miner's coldkey at E; null equals nobody. */
  readonly coldkeyOf: (hotkey: string) => string | null;
}

/** Draws two validators with different coldkeys for each reservation in turn, within their capacity (section 6). */
export function drawMembers(input: DrawInput): Member[] {
  const capacity = new Map(input.ready.map((row) => [row.hotkey, row.capacity]));
  const left = (row: ActiveRow): number => capacity.get(row.hotkey) ?? 0;
  const members: Member[] = [];
  for (const reservation of input.turn) {
    if (members.length === input.maxCohort) break;
    const available = input.active.filter((row) => left(row) > 0);
    const pair = drawPair(available, reservation, input);
    if (pair === null) continue;
    for (const row of pair) capacity.set(row.hotkey, left(row) - 1);
    members.push({ reservation_id: reservation.reservation_id, sides: [emptyPlace(pair[0]), emptyPlace(pair[1])] });
  }
  return members;
}

function drawPair(
  available: readonly ActiveRow[],
  reservation: Reservation,
  input: DrawInput,
): [ActiveRow, ActiveRow] | null {
  const minerColdkey = input.coldkeyOf(reservation.hotkey);
  const pool = available.filter((row) => row.hotkey !== reservation.hotkey && row.coldkey !== minerColdkey);
  const fresh = pool.filter((row) => !reservation.drawn.includes(row.coldkey));
  const pool0 = new Set(fresh.map((row) => row.coldkey)).size >= 2 ? fresh : pool;
  const first = pick(pool0, reservation.reservation_id, 0, input.entropy);
  if (first === null) return null;
  const pool1 = pool0.filter((row) => row.coldkey !== first.coldkey);
  const second = pick(pool1, reservation.reservation_id, 1, input.entropy);
  return second === null ? null : [first, second];
}

/**
 * The validator of a pool, sorted by hotkey, in whose share of the stake the entropy falls.
 * @returns null for an empty pool
 */
export function pick(
  pool: readonly ActiveRow[],
  reservationId: string,
  side: 0 | 1,
  entropy: string,
): ActiveRow | null {
  const stakes = pool.map((row) => BigInt(row.stake));
  const total = stakes.reduce((sum, stake) => sum + stake, 0n);
  if (total === 0n) return null;
  const digest = canonicalDigest('cacheon.peer.draw.v1', { entropy, reservation_id: reservationId, side });
  let x = BigInt(`0x${digest}`) % total;
  for (const [i, row] of pool.entries()) {
    const stake = stakes[i] as bigint;
    if (x < stake) return row;
    x -= stake;
  }
  return null;
}

function emptyPlace({ hotkey, coldkey }: ActiveRow): Place {
  return { hotkey, coldkey, attempt: null, seed_hash: null, receipt: null };
}
