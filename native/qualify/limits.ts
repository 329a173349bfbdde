/** Generation before the first timed block of a lane, nanoseconds of lane time (`wasm-arena.md` section 7). */
export const WARMUP_NS = 100_000_000n;
/** Audit calls of one request, and bytes of their inputs and outputs: far below a frame. */
export const AUDIT_REQUEST_CALLS = 128;
export const AUDIT_REQUEST_BYTES = 8 * 1024 * 1024;
/** Sequences that T grades in one request. */
export const GRADE_REQUEST_SEQUENCES = 16;
