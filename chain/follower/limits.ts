/** Headers held while a gap is walked back by parent hash; longer gaps are walked in pieces of this many. */
export const WALK_BLOCKS = 512;
/** The finalized head is asked for at least this often, in milliseconds: subscriptions fall silent on open sockets. */
export const POLL_MS = 6_000;
/** Milliseconds without a new finalized block until finality counts as stalled. */
export const STALL_MS = 120_000;
