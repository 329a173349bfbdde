import { canonicalBytes, type JsonValue, parseStrictJson } from '../identity/index.ts';
import { EvidenceError } from './errors.ts';
import { JSON_FILE_MAX_BYTES } from './limits.ts';

/**
 * Reads canonical JSON: any other spelling of the same value is refused, so that a value has one digest.
 * @throws IdentityError, or EvidenceError FILE_MALFORMED
 */
export function readCanonical(bytes: Uint8Array, name: string, maxBytes: number = JSON_FILE_MAX_BYTES): JsonValue {
  const value = parseStrictJson(bytes, maxBytes);
  if (Buffer.compare(canonicalBytes(value), bytes) !== 0) {
    throw new EvidenceError('FILE_MALFORMED', 'bytes are not canonical', { field: name });
  }
  return value;
}
