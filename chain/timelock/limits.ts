/** Sizes of the timelock format of subtensor's `tle` crate, in bytes (`notes/timelock.md` section 1). */

/** Compressed points of BLS12-381. */
export const G1_BYTES = 48;
export const G2_BYTES = 96;
/** esk, sigma and their masked forms V and W. */
export const SECRET_BYTES = 32;
/** AES-GCM's nonce and tag, and the length in front of a byte vector. */
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;
export const LENGTH_PREFIX_BYTES = 8;
export const CIPHER_SUITE = 'AES_GCM_';
/** A ciphertext is this much longer than its plaintext. */
export const OVERHEAD_BYTES = 244;
/** `encrypted` of a commitment field; larger ones cannot be on the chain. */
export const COMMITMENT_CIPHERTEXT_MAX_BYTES = 1024;
/** What is left of that for a payload. */
export const COMMITMENT_PLAINTEXT_MAX_BYTES = COMMITMENT_CIPHERTEXT_MAX_BYTES - OVERHEAD_BYTES;
/** The largest ciphertext of any subtensor call: a timelocked weight commit. */
export const CIPHERTEXT_MAX_BYTES = 5000;
/** Rounds are u64. */
export const ROUND_MAX = 2n ** 64n - 1n;
