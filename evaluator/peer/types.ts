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
  /** SubnetOwnerHotkey; only policy anchors need it. */
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
  /** What regrade makes of a counted receipt, or null while any of its bytes are missing here. */
  graded(receiptDigest: string): Graded | null;
  /** True if `protocol.md` section 7 accepts the pair: side 0 is primary. */
  acceptsPair(receipts: readonly [string, string]): boolean;
  /** Applies the ripe candidates to the ledger; the winner is `ripe[winner]`. Called only if there is a ripe one. */
  settle(ripe: readonly RipeCandidate[], winner: number): LedgerHead;
  /** The ledger as it is now. */
  ledger(): LedgerHead;
}
