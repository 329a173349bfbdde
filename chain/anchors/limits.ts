/** The largest Raw field of subtensor's commitments, and so of an anchor, in bytes. */
export const ANCHOR_MAX_BYTES = 128;
