/** Limits of candidate modules and of their compiler (`wasm-arena.md` section 5). */
/** All source files of one row together, bytes. */
export const SOURCE_MAX_BYTES = 256 * 1024;
/** Files of one row. */
export const SOURCE_MAX_FILES = 64;
/** One path, characters. */
export const PATH_MAX_CHARS = 1024;
/** A compiled module, bytes. */
export const MODULE_MAX_BYTES = 1024 * 1024;
/** Function types, imports, functions or exports of a module. */
export const MODULE_MAX_ENTRIES = 10_000;
/** Parameters or results of one function type. */
export const TYPE_MAX_VALUES = 64;

/** Wall clock of one compilation, milliseconds. */
export const COMPILE_DEADLINE_MS = 20_000;
/** CPU time of one compilation, seconds (`ulimit -t`). */
export const COMPILE_CPU_SECONDS = 20;
/** Address space of the compiler's process, KiB (`ulimit -v`). */
export const COMPILE_ADDRESS_SPACE_KIB = 3_000_000;
/** Heap of the compiler's process, MiB. */
export const COMPILE_HEAP_MIB = 512;
/** Text of a compiler's refusal, characters. */
export const DETAIL_MAX_CHARS = 400;
