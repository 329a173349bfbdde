/** Bounds of the JSON-RPC server. */

/** Connections at once, bytes of one message, calls of one batch. */
export const CONNECTIONS_MAX = 256;
export const MESSAGE_BYTES_MAX = 8 * 1024 * 1024;
export const BATCH_MAX = 100;
/** Subscriptions that one connection may have open. */
export const SUBSCRIPTIONS_PER_CONNECTION_MAX = 1024;
/** A client that reads slower than this loses its connection. */
export const UNSENT_BYTES_MAX = 64 * 1024 * 1024;
/** `state_getKeysPaged`, as Substrate has it. */
export const KEYS_PER_PAGE_MAX = 1000;
/** Keys of one `queryStorageAt` or `subscribeStorage`. */
export const KEYS_PER_QUERY_MAX = 10_000;
