/** Limits of a bundle's file list (`protocol.md` section 8, `bundle-format.md` section 2). */

/** Files, and directories that hold them. */
export const MAX_FILES = 4096;
export const MAX_DIRECTORIES = 4096;
/** Bytes of one file, of an inspectable file, of all inspectable files, of everything. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;
export const MAX_INSPECTABLE_FILE_BYTES = 8 * 1024 * 1024;
export const MAX_INSPECTABLE_BYTES = 32 * 1024 * 1024;
export const MAX_BUNDLE_BYTES = 256 * 1024 * 1024;
/** Path components, and bytes of a whole path. */
export const MAX_PATH_COMPONENTS = 32;
export const MAX_PATH_BYTES = 1024;
/** Rows of `ops`; the format defines no bound, this one is ours. */
export const MAX_OPS_ROWS = 64;
/** WASM source of a bundle in all, bytes (`wasm-arena.md` section 5). */
export const MAX_WASM_SOURCE_BYTES = 256 * 1024;
/** Files of one row, its entry file included; ours. */
export const MAX_ROW_FILES = 256;
/** Text of one identifier, characters; ours. */
export const MAX_NAME_LENGTH = 256;
