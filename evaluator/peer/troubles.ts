import type { FoldState } from './state.ts';

/**
 * Named states of section 12 that the fold's state alone shows. The others (waiting, CONSENSUS_UNKNOWN,
 * RUNTIME_UNKNOWN, ARCHIVE_NEEDED, a stalled chain) are results of a step or facts about the node.
 */
export type PeerTrouble =
  | { readonly code: 'FEW_ACTIVE_VALIDATORS'; readonly active_coldkeys: number }
  | { readonly code: 'LOW_ACTIVE_STAKE'; readonly active_stake: string; readonly permitted_stake: string }
  | { readonly code: 'NO_QUORUM'; readonly closes: number }
  | {
      readonly code: 'DIVERGED';
      /** The record before this cohort here, and the one that more than half of the active stake named. */
      readonly own: string;
      readonly named: string;
    };

const PPM = 1_000_000n;
/** Closes without quorum in a row that are a trouble. */
const NO_QUORUM_CLOSES = 2;

/** What stands in the way of settling, as of this state; check it after every step, before the next. */
export function troublesOf(state: FoldState): PeerTrouble[] {
  const troubles: PeerTrouble[] = [];
  const draw = state.last_draw;
  if (draw !== null && draw.active_coldkeys < 2) {
    troubles.push({ code: 'FEW_ACTIVE_VALIDATORS', active_coldkeys: draw.active_coldkeys });
  }
  if (draw !== null) {
    const { active_stake, permitted_stake } = draw;
    const least = BigInt(state.consensus.min_active_stake_ppm) * BigInt(permitted_stake);
    if (BigInt(active_stake) * PPM < least) troubles.push({ code: 'LOW_ACTIVE_STAKE', active_stake, permitted_stake });
  }
  if (state.no_quorum_streak >= NO_QUORUM_CLOSES) {
    troubles.push({ code: 'NO_QUORUM', closes: state.no_quorum_streak });
  }
  const named = majorityOfStrangers(state);
  if (named !== null) troubles.push({ code: 'DIVERGED', own: state.record_digest, named });
  return troubles;
}

/** The other record that ballots of more than half of the active stake name as the one before this cohort. */
function majorityOfStrangers({ phase }: FoldState): string | null {
  if (phase.kind !== 'ballots') return null;
  const previous = new Map(phase.cohort.strangers.map((row) => [row.hotkey, row.previous]));
  const stakes = new Map<string, bigint>();
  let total = 0n;
  for (const { hotkey, stake } of phase.cohort.active) {
    total += BigInt(stake);
    const named = previous.get(hotkey);
    if (named !== undefined) stakes.set(named, (stakes.get(named) ?? 0n) + BigInt(stake));
  }
  for (const [named, stake] of stakes) if (2n * stake > total) return named;
  return null;
}
