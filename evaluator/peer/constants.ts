/** Bytes of a hotkey or coldkey. */
export const KEY_BYTES = 32;
/** SS58 prefix of every address in JSON (`peer-protocol.md`, opening paragraph). */
export const SS58_PREFIX = 42;
/** Characters of an address: every 35-byte value that begins with the prefix has this many base-58 digits. */
export const ADDRESS_CHARS = 48;

/** Bytes of a Raw commitment field (section 3). */
export const ANCHOR_MAX_BYTES = 128;
/** Highest capacity of a ready anchor (section 3). */
export const MAX_CAPACITY = 16;
/** Bits of a ballot's bitmap (section 3). */
export const BITMAP_BITS = 64;

/** UTF-8 bytes of a proposal payload (`protocol.md` section 8). */
export const PAYLOAD_MAX_BYTES = 1024;
/** Characters of a hotkey's name in a payload reference (`protocol.md` section 8). */
export const HOTKEY_MAX_CHARS = 256;

/** Bytes of a consensus object's JSON: one frame of the wire between peers (`names.md`). */
export const CONSENSUS_MAX_BYTES = 16 * 1024;

/** A commitment counts as made at most this many blocks before its reveal (section 4). */
export const COMMITTED_WINDOW_BLOCKS = 7200;
/** Blocks between a policy anchor and the activation height it names (section 2); a devnet has its own. */
export const POLICY_NOTICE_BLOCKS = 600;
export const DEVNET_POLICY_NOTICE_BLOCKS = 10;

/** Tries charged when a side is missing or INVALID, and when both sides were measured without agreement (section 7). */
export const SPENT_BY_LAPSE = 1;
export const SPENT_BY_DISAGREEMENT = 3;
/** Closes in a row without a counted ballot that bring a cooldown (section 7). */
export const MAX_ABSENT = 2;
