/** Bounds of the status server. */
/** Bytes of one request's body. */
export const BODY_MAX_BYTES = 64 * 1024;
/** Calls of one JSON-RPC batch. */
export const BATCH_MAX_CALLS = 16;
/** Connections at once, and milliseconds for one request to arrive. */
export const CONNECTIONS_MAX = 64;
export const REQUEST_TIMEOUT_MS = 10_000;
/** Rows of a page if none is asked for, and at most. */
export const PAGE_DEFAULT_ROWS = 50;
export const PAGE_MAX_ROWS = 200;
