/** Blocks in which an extrinsic may be included; a power of two. Short, so that a lost one is known to be lost soon. */
export const ERA_BLOCKS = 16;
/** Milliseconds from signing to a finalized read-back. */
export const SUBMIT_DEADLINE_MS = 180_000;
/** Bytes of a hotkey file. */
export const KEY_FILE_MAX_BYTES = 4096;
/** Nobody but the owner may read a hotkey file. */
export const KEY_FILE_FORBIDDEN_MODE = 0o077;
/** Bytes that the Commitments pallet charges for a call at least (`notes/chain.md` section 3). */
export const COMMITMENT_MIN_CHARGE_BYTES = 100;
