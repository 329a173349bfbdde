/**
 * What the fold of `peer-protocol.md` reads of one finalized block, and what it asks of the rest of the node.
 * Hotkeys and coldkeys are SS58 with prefix 42; they are compared and sorted as their 32 bytes.
 */

/** An anchor as found in the finalized state: the raw bytes after the version byte rule are not yet judged. */
export interface BlockAnchor {
  readonly hotkey: string;
  /** Hex without 0x of the one Raw field, at most 128 bytes. */
  readonly payload: string;
}

/** A CommitmentRevealed event with the payload it belongs to (section 4). */
export interface BlockProposal {
  readonly event_index: number;
  readonly event_subindex: number;
  readonly hotkey: string;
  /** `block` of CommitmentOf in the state of b - 1, before the limit of section 4; null where there is none. */
  readonly committed: number | null;
  /** The payload text, a SCALE compact prefix taken off. */
  readonly payload: string;
}

export interface ValidatorState {
  readonly hotkey: string;
  readonly coldkey: string;
  /** TotalHotkeyAlpha as a decimal string. */
  readonly stake: string;
  readonly permit: boolean;
}

/** The subnet's registered hotkeys at one height: those in either list. */
export interface SubnetState {
  readonly validators: readonly ValidatorState[];
  /** Every other registered hotkey and its coldkey (null if absent or zero). */
  readonly others: Readonly<Record<string, string | null>>;
  /** SubnetOwnerHotkey at this height; weights need it. The fold reads `FoldBlock.owner_hotkey` first. */
  readonly owner_hotkey?: string | null;
}

export interface FoldBlock {
  readonly height: number;
  /** "0x" + 64 hex. */
  readonly hash: string;
  readonly anchors: readonly BlockAnchor[];
  readonly proposals: readonly BlockProposal[];
  /** The state at this height, or null where `needsState` said that the fold does not look at it. */
  readonly state: SubnetState | null;
  /** SubnetOwnerHotkey in the state of this block; may be absent where `needsOwner(anchors)` is false. */
  readonly owner_hotkey?: string | null;
}

/**
 * Where a receipt was counted. Regrade needs it: the same receipt digest anchored by somebody else, or for another
 * place, is not what was committed there.
 */
export interface PlaceContext {
  readonly consensus_digest: string;
  readonly cohort_index: number;
  readonly place: number;
  readonly side: 0 | 1;
  /** The validator drawn for the place, and its coldkey at E. */
  readonly hotkey: string;
  readonly coldkey: string;
  readonly incumbent_stack_digest: string;
  readonly reservation: ReservationRef;
  readonly attempt_digest: string;
  readonly attempt_height: number;
  /** Hash of the block at attempt height + lag_blocks, "0x" + 64 hex: it makes the selection seed. */
  readonly seed_hash: string;
  readonly receipt_digest: string;
}

/** What a reservation says, without what became of it. */
export interface ReservationRef {
  readonly reservation_id: string;
  /** The miner. */
  readonly hotkey: string;
  readonly content_hash: string;
  readonly url: string;
  readonly block: number;
  readonly event_index: number;
  readonly event_subindex: number;
}

/** What regrade makes of the bytes of one counted result. */
export interface Graded {
  readonly result: 'PASS' | 'FAIL' | 'NO_DECISION' | 'INVALID';
  readonly speedup: string | null;
  readonly target_id: string | null;
  readonly members: readonly string[];
  readonly selected_delta_digest: string | null;
  readonly candidate_stack_digest: string | null;
}

/** A member that passed on both sides and may be crowned in this close, in order key order. */
export interface RipeCandidate {
  readonly reservation_id: string;
  /** Receipt digests of side 0 (primary) and side 1 (reproduction). */
  readonly receipts: readonly [string, string];
  /** The lower of the two speedups. */
  readonly speedup: string;
  readonly primary: Graded;
}

/** Digests of the ledger after a close: what the cohort record names. */
export interface LedgerHead {
  readonly stack_digest: string;
  /** Digest of the last settlement event, "" if none. */
  readonly journal_head: string;
  /** CD("cacheon.peer.claims.v1", claims); "" only in the vectors. */
  readonly claims_digest: string;
}

/**
 * The pure functions that a close needs of evidence and ledger. They are called synchronously inside one step; a
 * step that would have to guess returns `waiting` instead.
 */
export interface FoldAuthority {
  /** What regrade makes of a counted receipt at its place, or null while any of its bytes are missing here. */
  graded(receiptDigest: string, place: PlaceContext): Graded | null;
  /** True if `protocol.md` section 7 accepts the pair: side 0 is primary. Called only if both are PASS. */
  acceptsPair(receipts: readonly [string, string], places: readonly [PlaceContext, PlaceContext]): boolean;
  /** Applies the ripe candidates to the ledger; the winner is `ripe[winner]`. Called only if there is a ripe one. */
  settle(ripe: readonly RipeCandidate[], winner: number): LedgerHead;
  /** The ledger as it is now; a close refuses to go on if it is not the one that the fold state names. */
  ledger(): LedgerHead;
  /** A consensus object with another arena takes effect: the stack becomes its genesis stack (section 2). */
  adoptGenesis(genesisStackDigest: string): LedgerHead;
}
