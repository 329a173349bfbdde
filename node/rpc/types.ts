import type { JsonValue } from '../../evaluator/identity/index.ts';

/**
 * The status document: what a node says about itself, to its operator only. Closed, JSON-safe (no bigints), and never
 * a secret. Heights are finalized blocks; hotkeys are SS58.
 */
export const STATUS_SCHEMA = 'cacheon.status.v1';

/** A named state in which the node cannot go on as usual (`peer-protocol.md` section 12), and what to do. */
export interface Trouble {
  /** E.g. CONSENSUS_UNKNOWN, DIVERGED, WAITING_FOR_BYTES, CHAIN_STALLED. */
  readonly code: string;
  /** Height at which it was first seen, or null. */
  readonly since: number | null;
  readonly detail: string;
  readonly remedy: string;
  /** True if nothing settles or is published meanwhile: the node is not ready. */
  readonly blocking: boolean;
}

export interface ChainStatus {
  readonly connected: boolean;
  /** Scheme, host and port of the endpoint in use. */
  readonly endpoint: string | null;
  readonly finalized_height: number | null;
  readonly finalized_hash: string | null;
  /** Height up to which this node has folded. */
  readonly folded_height: number | null;
  /** Seconds since the last new finalized block. */
  readonly head_age_seconds: number | null;
}

export interface SideStatus {
  /** 2i + s. */
  readonly place: number;
  readonly validator: string;
  readonly own: boolean;
  /** Digest of the counted attempt and receipt, or null. */
  readonly attempt: string | null;
  readonly receipt: string | null;
  /** What regrade made of the result here, or null; only for results that were opened. */
  readonly result: string | null;
  readonly speedup: string | null;
  /** All bytes of the result are here. */
  readonly held: boolean;
}

export interface MemberStatus {
  readonly reservation_id: string;
  readonly miner: string;
  readonly target_id: string | null;
  readonly sides: readonly SideStatus[];
}

export interface CohortStatus {
  readonly index: number;
  readonly phase: 'measuring' | 'ballots';
  readonly opened: number;
  readonly assignment_block: number;
  readonly opening_height: number | null;
  /** Last height of the phase at the latest. */
  readonly deadline: number;
  readonly incumbent_stack_digest: string;
  readonly members: readonly MemberStatus[];
  /** Validators with a counted ballot. */
  readonly ballots: readonly string[];
}

export interface QueueRow {
  readonly reservation_id: string;
  readonly hotkey: string;
  readonly content_hash: string;
  readonly committed: number;
  readonly block: number;
  readonly spent: number;
  readonly passes: number;
}

export interface LaneStatus {
  readonly slot: 0 | 1;
  readonly role: string | null;
  readonly reservation_id: string | null;
}

export interface PeerStatus {
  readonly peer_id: string;
  /** Null until it has authenticated. */
  readonly hotkey: string | null;
  readonly address: string;
  readonly authenticated: boolean;
  readonly score: number;
}

export interface StackStatus {
  readonly digest: string;
  readonly entries: readonly {
    readonly target_id: string;
    readonly hotkey: string | null;
    readonly speedup_ppm: number | null;
    readonly crowned_block: number | null;
  }[];
}

export interface JournalRow {
  readonly sequence: number;
  readonly digest: string;
  readonly event_type: string;
  readonly target_id: string;
  readonly reason: string;
  readonly subject_digest: string;
}

export interface RecordRow {
  readonly index: number;
  readonly digest: string;
  readonly close_height: number;
  readonly no_quorum: boolean;
  readonly members: readonly {
    readonly reservation_id: string;
    readonly disposition: string;
    readonly reason: string | null;
  }[];
}

export interface WeightsStatus {
  readonly rows: readonly {
    readonly epoch_height: number;
    readonly state: string;
    readonly vector: readonly { readonly uid: number; readonly weight: number }[];
    readonly detail: string | null;
  }[];
  readonly last_confirmed: number | null;
}

export interface VersionStatus {
  readonly version: string;
  readonly node: string;
  readonly schema: typeof STATUS_SCHEMA;
}

export interface HealthStatus {
  readonly ready: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[];
}

export interface StatusDocument {
  readonly schema: typeof STATUS_SCHEMA;
  readonly node: {
    readonly node_id: string;
    readonly version: string;
    readonly hotkey: string;
    readonly peer_id: string | null;
    readonly data_dir: string;
    readonly uptime_seconds: number;
  };
  readonly network: { readonly preset: string; readonly genesis_hash: string; readonly netuid: number };
  readonly chain: ChainStatus;
  readonly consensus: {
    readonly digest: string;
    readonly activation_height: number;
    readonly next: { readonly digest: string; readonly activation_height: string } | null;
  };
  readonly phase: 'idle' | 'drawing' | 'measuring' | 'ballots';
  readonly cohort: CohortStatus | null;
  /** Length of the whole queue and its first rows. */
  readonly queue: { readonly length: number; readonly rows: readonly QueueRow[] };
  readonly lanes: { readonly capacity: number; readonly sandbox: string; readonly slots: readonly LaneStatus[] };
  readonly peers: { readonly connected: number; readonly rows: readonly PeerStatus[] };
  readonly stack: StackStatus;
  readonly journal: { readonly count: number; readonly head: string; readonly recent: readonly JournalRow[] };
  readonly records: { readonly last_index: number | null; readonly last_digest: string | null };
  readonly weights: WeightsStatus;
  readonly storage: { readonly blobs: number; readonly bytes: number };
  /** Anchors left in this tempo, or null if unknown. */
  readonly anchors_left: number | null;
  readonly troubles: readonly Trouble[];
}

/** Something that happened, in order; for people and the devnet's progress view, nothing is decided from it. */
export interface EventRow {
  readonly sequence: number;
  /** Finalized height at which it was told. */
  readonly height: number;
  readonly event: JsonValue;
}

/** A page of rows, newest first: those below `before`, or the newest. */
export interface PageRequest {
  readonly before: number | null;
  readonly limit: number;
}

/** Where the status server takes its answers from; the daemon implements it. Calls must be quick and have no effect. */
export interface StatusSource {
  status(): StatusDocument;
  health(): HealthStatus;
  version(): VersionStatus;
  queue(): readonly QueueRow[];
  journal(page: PageRequest): readonly JournalRow[];
  records(page: PageRequest): readonly RecordRow[];
  /** Oldest first, those numbered above `after`; the log is a ring, so older ones may be gone. */
  events(after: number, limit: number): readonly EventRow[];
}
