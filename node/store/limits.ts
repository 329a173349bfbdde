/** Bounds of what a node keeps on disk. */
/** Bytes of one evidence blob: a whole result is at most this (`peer-protocol.md` section 9). */
export const BLOB_MAX_BYTES = 16 * 1024 * 1024;
/** Free bytes that must stay on the file system, so that the database can still be written. */
export const RESERVED_FREE_BYTES = 64 * 1024 * 1024;
/** Bundle limits of `protocol.md` section 8: files, bytes of one, bytes of all. */
export const BUNDLE_MAX_FILES = 4096;
export const BUNDLE_MAX_FILE_BYTES = 16 * 1024 * 1024;
export const BUNDLE_MAX_TOTAL_BYTES = 256 * 1024 * 1024;
/**
 * Bytes of one path. Above the 1,024 of `bundle-format.md` section 2: a bundle that breaks that rule is refused on its
 * list of files, so the list itself must be storable.
 */
export const BUNDLE_MAX_PATH_BYTES = 4096;
/** Bytes of one pack: the files, and lengths and path of each. */
export const PACK_MAX_BYTES = BUNDLE_MAX_TOTAL_BYTES + BUNDLE_MAX_FILES * (4 + BUNDLE_MAX_PATH_BYTES + 8);
/** Rows of the events log kept for people. */
export const EVENTS_LOG_ROWS = 1000;
/** Rows of one page of any listing. */
export const PAGE_MAX_ROWS = 200;
/** Snapshots kept behind the newest record. */
export const SNAPSHOTS_KEPT = 64;
/** Milliseconds SQLite itself waits for another connection of this node (a CLI command reading). */
export const BUSY_TIMEOUT_MS = 5000;
