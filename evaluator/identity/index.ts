export { canonicalBytes, canonicalJson, canonicallyEqual } from './canonical.ts';
export {
  compareDecimals,
  type Decimal,
  decimalToPpm,
  leadsBy,
  parseDecimal,
  parseSpeedup,
} from './decimal.ts';
export { canonicalDigest, isDigest, isHexDigest, sha256Hex, ZERO_DIGEST } from './digest.ts';
export { IdentityError, type IdentityErrorCode } from './errors.ts';
export {
  committedContentHash,
  contentHash,
  FILE_MODE,
  hashedFiles,
  integratedSourceTreeDigest,
  isSkippedPath,
  type TreeFile,
} from './files.ts';
export { type JsonObject, type JsonValue, parseStrictJson } from './json.ts';
export { JSON_MAX_BYTES, JSON_MAX_DEPTH, JSON_MAX_INTEGER_DIGITS } from './limits.ts';
export { compareBytes, compareCodePoints, comparePathComponents } from './order.ts';
