import type { Consensus } from './consensus.ts';
import type { LedgerHead, ReservationRef } from './types.ts';

/**
 * The state of the fold at the end of a height: a plain JSON value that is replaced, never changed. Rows are sorted as
 * `peer-protocol.md` section 8 sorts them; stakes are decimal strings.
 */
export interface FoldState {
  readonly schema_version: 1;
  /** The ruling object and its digest. */
  readonly consensus: Consensus;
  readonly consensus_digest: string;
  /** The last height that was stepped; activation_height - 1 at first. */
  readonly height: number;
  /** Blocks that a policy anchor must come before its activation height (section 2). */
  readonly policy_notice_blocks: number;
  /** No cohort opens below this height: a restart (section 2) steps there without. */
  readonly resume_height: number;
  readonly ledger: LedgerHead;
  /** Index of the next cohort. */
  readonly next_index: number;
  /** Digest of the last record, "" before the first. */
  readonly record_digest: string;
  /** Closes in a row, the last included, that had no quorum. */
  readonly no_quorum_streak: number;
  /** What the last draw had to choose from. */
  readonly last_draw: DrawSummary | null;
  readonly queue: readonly Reservation[];
  readonly ready: readonly ReadyRow[];
  readonly penalties: readonly PenaltyRow[];
  readonly samples: readonly StakeSample[];
  readonly policy: readonly PolicyRow[];
  /** Reservations that ended `expired` since the last record, in the order dropped. */
  readonly expired: readonly string[];
  readonly phase: Phase;
}

/** The states of section 5. */
export type Phase =
  | { readonly kind: 'idle' }
  | { readonly kind: 'drawing'; readonly opened: number; readonly draw_height: number }
  | { readonly kind: 'measuring'; readonly cohort: Cohort }
  | { readonly kind: 'ballots'; readonly cohort: Cohort; readonly opening_height: number };

export interface Reservation extends ReservationRef {
  readonly committed: number;
  readonly spent: number;
  readonly passes: number;
  /** The kept selected delta (section 7). */
  readonly delta: string | null;
  /** Coldkeys that were drawn for it, sorted. */
  readonly drawn: readonly string[];
}

export interface ReadyRow {
  readonly hotkey: string;
  /** Of the anchor. */
  readonly height: number;
  readonly capacity: number;
}

export interface PenaltyRow {
  readonly coldkey: string;
  readonly strikes: number;
  readonly absent: number;
  /** Not drawn at E <= until. */
  readonly until: number;
}

export interface StakeRow {
  readonly hotkey: string;
  readonly stake: string;
}

export interface StakeSample {
  readonly height: number;
  readonly stakes: readonly StakeRow[];
}

export interface PolicyRow {
  readonly digest: string;
  /** A u64 as a decimal string: an anchor may name any, though no object can have one beyond 2^50. */
  readonly activation_height: string;
  readonly anchored_at: number;
}

/** A validator of the active set, as frozen at E. */
export interface ActiveRow {
  readonly hotkey: string;
  readonly coldkey: string;
  /** Aged stake. */
  readonly stake: string;
}

export interface Cohort {
  readonly index: number;
  /** S. */
  readonly opened: number;
  /** E. */
  readonly assignment_block: number;
  readonly incumbent_stack_digest: string;
  readonly active: readonly ActiveRow[];
  readonly members: readonly Member[];
  readonly ballots: readonly BallotRow[];
  /** Active senders whose ballots name another record before this cohort: the first sign of a divergence. */
  readonly strangers: readonly StrangerRow[];
}

export interface Member {
  readonly reservation_id: string;
  readonly sides: readonly [Place, Place];
}

/** One side of a member: the validator drawn for it and what it anchored. */
export interface Place {
  readonly hotkey: string;
  readonly coldkey: string;
  readonly attempt: CountedAnchor | null;
  /** Hash of the block at attempt height + lag_blocks, once that is stepped. */
  readonly seed_hash: string | null;
  readonly receipt: CountedAnchor | null;
}

export interface CountedAnchor {
  readonly digest: string;
  readonly height: number;
}

export interface BallotRow {
  readonly hotkey: string;
  /** The sender's counted bitmaps or-ed, 16 hex digits. */
  readonly bitmap: string;
}

export interface StrangerRow {
  readonly hotkey: string;
  readonly previous: string;
}

/** Why a draw had whom to choose from, for the operator. */
export interface DrawSummary {
  readonly height: number;
  readonly active_coldkeys: number;
  readonly active_stake: string;
  readonly permitted_stake: string;
  /** Members drawn. */
  readonly drawn: number;
}
