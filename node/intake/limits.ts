/** Limits of fetching and unpacking a bundle (`protocol.md` section 8); sizes in bytes. */
const KIB = 1024;
const MIB = 1024 * KIB;

/** The archive as it is served; more is not read. */
export const ARCHIVE_MAX_BYTES = 64 * MIB;
/** Members of an archive, directories included. */
export const MEMBERS_MAX = 4096;
/** One file of an archive. */
export const FILE_MAX_BYTES = 16 * MIB;
/** All files of an archive together. */
export const EXTRACTED_MAX_BYTES = 256 * MIB;
/** One extension header (pax or GNU long name), and all of an archive. */
export const EXTENSION_MAX_BYTES = 64 * KIB;
export const EXTENSIONS_MAX_BYTES = MIB;
/** Header blocks of any kind: each member may have a long name and a pax header. */
export const HEADERS_MAX = 3 * MEMBERS_MAX;
/** The tar stream itself: files, headers and padding, end of archive. */
export const TAR_MAX_BYTES = EXTRACTED_MAX_BYTES + 16 * MIB;
/** A path as it stands in an archive. Names that can be published are shorter: the rules of the files say so. */
export const PATH_MAX_BYTES = 4096;

/** Redirects that one fetch follows, each checked like the first URL. */
export const REDIRECTS_MAX = 5;
/** Addresses of one DNS answer that are looked at. */
export const ADDRESSES_MAX = 32;
/** Response headers of one answer. */
export const RESPONSE_HEADERS_MAX_BYTES = 16 * KIB;
/** Milliseconds for one fetch with its redirects, and between two pieces of it. */
export const FETCH_TOTAL_MS = 120_000;
export const FETCH_IDLE_MS = 15_000;
