/** The largest value of a weights vector; subtensor scales every vector up to it. */
export const WEIGHT_MAX = 65_535;
/** Uids of one subnet. */
export const UIDS_MAX = 65_536;
/** Extrinsics signed for one epoch height before it is given up. */
export const SIGN_ATTEMPTS_MAX = 6;
/** Blocks to wait after a refusal before the same vector is signed again. */
export const RETRY_BLOCKS = 5;
