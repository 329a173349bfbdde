/** Bytes of a selection secret; ours are exactly 32 (`peer-protocol.md` section 9). */
export const SECRET_MIN_BYTES = 32;
export const SECRET_MAX_BYTES = 4096;

/** Tokens of a prompt of the embedded workload (`wasm-arena.md` section 1). */
export const PROMPT_MIN_TOKENS = 16;
export const PROMPT_MAX_TOKENS = 240;
/** Positions of one sequence, prompt and decoded tokens together. */
export const SEQUENCE_MAX_POSITIONS = 320;
/** A timed sequence is at least this long: what a block shrinks to on a slow or busy host. */
export const SEQUENCE_MIN_POSITIONS = 64;
/** Tokens decoded in every sequence at least; a prompt that leaves less room is cut at its end. */
export const MIN_DECODE_TOKENS = 16;
/** Positions of one warm-up or calibration sequence. */
export const CALIBRATION_POSITIONS = 160;
/** Vocabulary of the embedded model; a token fits a byte. */
export const VOCABULARY = 256;

/** Prompts a pool may have. */
export const POOL_MAX_PROMPTS = 65_536;
/** Sequences one timed block may have. */
export const BLOCK_MAX_SEQUENCES = 64;
/** Prompts kept for warm-up and calibration of one process; timed blocks never use them there. */
export const WARMUP_PROMPTS = 40;
/** Calibration reads of each lane of the first pair; odd, so that one is the median. */
export const CALIBRATION_READS = 3;
/** Blocks are sized for this many percent of block_ms_min at the calibration of the faster side. */
export const BLOCK_HEADROOM_PERCENT = 110;
