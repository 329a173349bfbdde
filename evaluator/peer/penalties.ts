import type { Consensus } from './consensus.ts';
import { MAX_ABSENT } from './constants.ts';
import { compareAddresses } from './ss58.ts';
import type { Cohort, PenaltyRow } from './state.ts';
import type { Tally } from './tally.ts';
import type { JudgedSide } from './verdicts.ts';

interface Close {
  readonly cohort: Cohort;
  readonly counts: Tally;
  /** Null under no_quorum: then strikes are not judged. */
  readonly judged: readonly (readonly [JudgedSide, JudgedSide])[] | null;
  readonly height: number;
  readonly consensus: Consensus;
}

/** The penalty rows after a close (section 7): strikes, presence, cooldowns; rows that say nothing are dropped. */
export function penaltiesAfter(before: readonly PenaltyRow[], close: Close): PenaltyRow[] {
  const rows = new Map(before.map((row) => [row.coldkey, row]));
  const until = close.height + close.consensus.cooldown_blocks;
  const change = (coldkey: string, next: (row: PenaltyRow) => PenaltyRow): void => {
    rows.set(coldkey, next(rows.get(coldkey) ?? { coldkey, strikes: 0, absent: 0, until: 0 }));
  };
  for (const [coldkey, conduct] of conductOf(close)) {
    change(coldkey, (row) => {
      const strikes =
        conduct === 'bad' ? row.strikes + 1 : conduct === 'good' ? Math.max(0, row.strikes - 1) : row.strikes;
      return strikes >= close.consensus.max_strikes ? { ...row, strikes: 0, until } : { ...row, strikes };
    });
  }
  for (const [coldkey, present] of presenceOf(close.cohort)) {
    change(coldkey, (row) => {
      const absent = present ? 0 : row.absent + 1;
      return absent >= MAX_ABSENT ? { ...row, absent: 0, until } : { ...row, absent };
    });
  }
  return [...rows.values()]
    .filter((row) => row.strikes > 0 || row.absent > 0 || row.until > close.height)
    .sort((a, b) => compareAddresses(a.coldkey, b.coldkey));
}

/** Per coldkey with sides in the cohort: bad if any side is, else good if any is a PASS or a FAIL. */
function conductOf({ cohort, counts, judged }: Close): Map<string, 'bad' | 'good' | 'neither'> {
  const conduct = new Map<string, 'bad' | 'good' | 'neither'>();
  if (judged === null) return conduct;
  for (const [i, member] of cohort.members.entries()) {
    for (const s of [0, 1] as const) {
      const place = member.sides[s];
      const { counted, result } = (judged[i] as (typeof judged)[number])[s];
      const unnamed = !counted && counts.places[2 * i + s]?.belowQuarter === true;
      const bad = place.attempt === null || place.receipt === null || result === 'INVALID' || unnamed;
      const good = result === 'PASS' || result === 'FAIL';
      const sofar = conduct.get(place.coldkey) ?? 'neither';
      conduct.set(place.coldkey, bad || sofar === 'bad' ? 'bad' : good || sofar === 'good' ? 'good' : 'neither');
    }
  }
  return conduct;
}

/** Per coldkey of the active set: whether it has a counted ballot. Empty in a general outage. */
function presenceOf(cohort: Cohort): Map<string, boolean> {
  const voters = new Set(cohort.ballots.map((row) => row.hotkey));
  const presence = new Map<string, boolean>();
  for (const { hotkey, coldkey } of cohort.active) {
    presence.set(coldkey, voters.has(hotkey) || presence.get(coldkey) === true);
  }
  const present = [...presence.values()].filter(Boolean).length;
  return present < 2 ? new Map() : presence;
}
