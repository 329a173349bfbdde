/** Files of one result (`peer-protocol.md` section 9). */
export const EVIDENCE_MAX_ENTRIES = 4096;
/** Bytes of all files of one result together, the bundle apart. */
export const EVIDENCE_MAX_BYTES = 16 * 1024 * 1024;
/** Bytes of the root itself: 4,096 rows of about 200. */
export const ROOT_MAX_BYTES = 1024 * 1024;
/** Bytes of one JSON file, the limit of canonical JSON. */
export const JSON_FILE_MAX_BYTES = 8 * 1024 * 1024;
/** Characters of a detail in log.json or build.json. */
export const DETAIL_MAX_CHARS = 500;
/** Host facts kept beside one launch, and the length of one of them. */
export const FACTS_MAX = 64;
export const FACT_MAX_CHARS = 200;
