/** Limits of a lane (`wasm-arena.md` section 6). */
/** Heap of a lane's process, MiB; the models and modules lie outside it. */
export const LANE_HEAP_MIB = 128;
/** Resident memory at which a lane is killed, bytes: eight full module memories and Node itself. */
export const LANE_RESIDENT_BYTES = 512 * 1024 * 1024;
/** CPU time of a lane over its whole life, seconds: what ends it if host and death signal both fail. */
export const LANE_CPU_SECONDS = 900;

/** Modules of one lane beside the stock ones. */
export const LANE_MAX_MODULES = 64;
/** Sequences of one request. */
export const REQUEST_MAX_SEQUENCES = 1024;
/** Calls of one audit. */
export const AUDIT_MAX_CALLS = 512;
