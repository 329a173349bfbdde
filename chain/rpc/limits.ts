/** Largest answer of an endpoint, in bytes: metadata is about 0.7 MB as hex, a full block with its events a few MB. */
export const RESPONSE_MAX_BYTES = 32 * 1024 * 1024;
/** Storage keys in one `state_queryStorageAt`. */
export const QUERY_KEYS = 512;
/** Decoded runtimes kept: head, its parent around an upgrade, and one being replayed; each is about 40 MB. */
export const RUNTIMES_KEPT = 3;
/** Blocks whose runtime version is remembered. */
export const VERSIONS_KEPT = 64;
/** Bytes of runtime metadata; larger is refused before it is decoded. */
export const METADATA_MAX_BYTES = 8 * 1024 * 1024;
/** Characters of an endpoint's own error text that are kept in ours. */
export const REMOTE_TEXT_MAX = 200;
/** Digest items of one header. */
export const HEADER_LOGS_MAX = 64;
/** Hex characters of one digest item. */
export const HEADER_LOG_MAX_CHARS = 64 * 1024;

/** Deadlines in milliseconds. */
export interface Deadlines {
  /** One attempt to connect, the genesis check included. */
  readonly connectMs: number;
  /** One call on one connection; a connection that misses it is replaced. */
  readonly callMs: number;
  /** One read, over reconnects and endpoints. */
  readonly readMs: number;
  /** First and largest delay between attempts; doubled, with jitter. */
  readonly backoffMinMs: number;
  readonly backoffMaxMs: number;
}

export const DEFAULT_DEADLINES: Deadlines = {
  connectMs: 15_000,
  callMs: 20_000,
  readMs: 90_000,
  backoffMinMs: 500,
  backoffMaxMs: 30_000,
};
