/** Limits of the peer network, shared by the sending and the receiving side (`names.md`, Wire between peers). */

const KIB = 1024;
const MIB = 1024 * KIB;

/** Largest frame: u32 length and canonical JSON. */
export const FRAME_MAX_BYTES = 16 * KIB;
/** Largest announcement; a larger one would make receivers drop the publisher's gossip stream. */
export const ANNOUNCEMENT_MAX_BYTES = 16 * KIB;
/** Raw bytes after one blob reply. */
export const BLOB_CHUNK_BYTES = MIB;
/** Largest blob that fetch accepts when the caller sets no bound. */
export const BLOB_MAX_BYTES = 64 * MIB;
/** Digests in one want list: 200 x 67 bytes of JSON stay below a frame. */
export const WANT_MAX_DIGESTS = 200;

/**
 * Messages that one gossip RPC may hold; what we ask for with IWANT is bounded by the same number. A full batch stays
 * below 4 MiB, which is the most that the library's length-prefixed encoder sends.
 */
export const GOSSIP_BATCH_MESSAGES = 250;
/** Protobuf and topic around one message, with room. */
const GOSSIP_MESSAGE_OVERHEAD_BYTES = 256;
/** Largest gossip RPC: a full honest batch must fit, because the library ends the stream of a larger one. */
export const GOSSIP_RPC_MAX_BYTES = GOSSIP_BATCH_MESSAGES * (ANNOUNCEMENT_MAX_BYTES + GOSSIP_MESSAGE_OVERHEAD_BYTES);
/** How long a message id is remembered, in ms. */
export const GOSSIP_SEEN_MS = 120_000;
/** Bytes a gossip stream may have waiting while its connection authenticates. */
export const GOSSIP_HELD_BYTES = 64 * KIB;

/** Addresses kept of one peer. */
export const ADDRESSES_PER_PEER = 4;
/** Longest multiaddr text we read. */
export const ADDRESS_MAX_CHARS = 256;
/** Dial targets kept at once: more than a subnet has members. */
export const DIAL_TARGETS = 1024;
/** Dials under way at once. */
export const DIAL_CONCURRENCY = 8;
/** First and longest pause between two dials of one target, in ms; doubled per failure, with jitter. */
export const DIAL_BACKOFF_MS = 1_000;
export const DIAL_BACKOFF_MAX_MS = 60_000;
/** One address: TCP, Noise and Yamux, in ms. */
export const DIAL_TIMEOUT_MS = 10_000;

/** Hotkeys of which score, epoch or rate are remembered. */
export const TRACKED_HOTKEYS = 4096;
/** Points at which a hotkey is banned; see `guard/scores.ts`. */
export const SCORE_BAN = -100;
/** How long a ban lasts, in ms. */
export const BAN_MS = 600_000;
/** Points a misbehaving peer gets back per minute. */
export const SCORE_RECOVERY_PER_MINUTE = 10;

/** Blob fetches under way at once; later ones wait their turn. */
export const FETCH_CONCURRENCY = 8;
/** Rounds over all holders while some of them are busy. */
export const FETCH_ROUNDS = 4;
/** Pause between two such rounds, in ms. */
export const FETCH_ROUND_PAUSE_MS = 500;
/** Requests on one blob stream. */
export const BLOB_REQUESTS_PER_STREAM = 256;
/** Peers asked at once with a want list. */
export const WANT_CONCURRENCY = 16;

/**
 * Limits that an operator (or a test) may set.
 */
export interface NetworkLimits {
  /** Connections at once, both directions. */
  readonly maxConnections: number;
  /** Inbound connections that have not authenticated yet, all hosts together. */
  readonly maxUnauthenticated: number;
  /** New inbound connections per second and remote host. */
  readonly inboundPerSecond: number;
  /** Streams of one protocol that one peer may have open at us. */
  readonly streamsPerPeer: number;
  /** Requests per minute of one hotkey and protocol, and how many may come at once. */
  readonly requestsPerMinute: number;
  readonly requestBurst: number;
  /** Blob bytes per second that one hotkey may fetch from us, and how many at once. */
  readonly blobBytesPerSecond: number;
  readonly blobBurstBytes: number;
  /** Gossip messages per minute from one neighbour (it forwards others' too), and how many at once. */
  readonly gossipPerMinute: number;
  readonly gossipBurst: number;
  /** The transport's upgrade, and then the whole handshake, in ms each. */
  readonly authTimeoutMs: number;
  /** One frame to be read or written, in ms. */
  readonly frameTimeoutMs: number;
  /** One blob chunk to arrive, in ms: 1 MiB in it is the slowest peer we put up with. */
  readonly chunkTimeoutMs: number;
  /** How often dialing and stream health are looked at, in ms. */
  readonly tickMs: number;
  /** How long a peer may be without a working gossip stream before it is cut and dialed again, in ms. */
  readonly muteAfterMs: number;
}

export const DEFAULT_LIMITS: NetworkLimits = {
  maxConnections: 300,
  maxUnauthenticated: 32,
  inboundPerSecond: 16,
  streamsPerPeer: 4,
  requestsPerMinute: 600,
  requestBurst: 200,
  blobBytesPerSecond: 32 * MIB,
  blobBurstBytes: 128 * MIB,
  gossipPerMinute: 1200,
  gossipBurst: 600,
  authTimeoutMs: 5_000,
  frameTimeoutMs: 10_000,
  chunkTimeoutMs: 20_000,
  tickMs: 1_000,
  muteAfterMs: 10_000,
};
