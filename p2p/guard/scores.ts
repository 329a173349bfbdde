import { BAN_MS, SCORE_BAN, SCORE_RECOVERY_PER_MINUTE, TRACKED_HOTKEYS } from '../limits.ts';

export type Offence = 'lie' | 'malformed' | 'overflow' | 'rate' | 'announcement';

/** Points per offence. Two lies about bytes are a ban; asking too fast takes fifty refusals. */
const POINTS: Readonly<Record<Offence, number>> = {
  lie: -60,
  malformed: -25,
  overflow: -25,
  announcement: -10,
  rate: -2,
};

interface Row {
  points: number;
  at: number;
  bannedUntil: number;
}

/** What each hotkey's behaviour has cost it; points come back with time. Changing the node key washes nothing off. */
export class Scores {
  readonly #rows = new Map<string, Row>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Notes an offence. @returns true if it is the one that leads to a ban */
  penalise(hotkey: string, offence: Offence): boolean {
    const now = this.#now();
    const row = this.#rows.get(hotkey) ?? { points: 0, at: now, bannedUntil: 0 };
    row.points = recovered(row, now) + POINTS[offence];
    row.at = now;
    const banned = row.points <= SCORE_BAN && row.bannedUntil <= now;
    if (banned) row.bannedUntil = now + BAN_MS;
    this.#rows.delete(hotkey);
    this.#rows.set(hotkey, row);
    if (this.#rows.size > TRACKED_HOTKEYS) this.#rows.delete(this.#rows.keys().next().value as string);
    return banned;
  }

  /** 0 is unblemished. */
  score(hotkey: string): number {
    const row = this.#rows.get(hotkey);
    return row === undefined ? 0 : recovered(row, this.#now());
  }

  isBanned(hotkey: string): boolean {
    return (this.#rows.get(hotkey)?.bannedUntil ?? 0) > this.#now();
  }
}

function recovered(row: Row, now: number): number {
  const back = ((now - row.at) / 60_000) * SCORE_RECOVERY_PER_MINUTE;
  return Math.min(0, Math.round((row.points + back) * 1000) / 1000);
}
