/** Limits of canonical JSON, from `protocol.md` section 1. */

/** Levels of arrays and objects in each other. */
export const JSON_MAX_DEPTH = 1024;
/** Decimal digits of one integer. */
export const JSON_MAX_INTEGER_DIGITS = 4300;
/** UTF-8 bytes of one JSON text. */
export const JSON_MAX_BYTES = 8 * 1024 * 1024;
