import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical.ts';
import { IdentityError } from './errors.ts';

const DOMAIN = /^[a-z0-9][a-z0-9._-]*$/;
const DIGEST = /^[0-9a-f]{64}$/;

/** The all-zero digest, which most digest fields refuse. */
export const ZERO_DIGEST = '0'.repeat(64);

/**
 * CD of `protocol.md` section 1: SHA-256, as 64 lowercase hex digits, of the canonical JSON of
 * `{"domain", "payload", "schema_version"}`.
 * @throws IdentityError if the domain, the version or the payload cannot be named
 */
export function canonicalDigest(domain: string, payload: unknown, schemaVersion: number | bigint = 1): string {
  if (typeof domain !== 'string' || !DOMAIN.test(domain)) throw new IdentityError('DOMAIN_GRAMMAR');
  const isInteger = typeof schemaVersion === 'bigint' || Number.isSafeInteger(schemaVersion);
  if (!isInteger || schemaVersion < 1) throw new IdentityError('SCHEMA_VERSION');
  return sha256Hex(canonicalJson({ domain, payload, schema_version: schemaVersion }));
}

/** SHA-256 as 64 lowercase hex digits; a string is hashed as UTF-8. */
export function sha256Hex(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex');
}

/** True for 64 lowercase hex digits, the all-zero digest included. */
export function isHexDigest(value: unknown): value is string {
  return typeof value === 'string' && DIGEST.test(value);
}

/** True for a digest that is not all zero. */
export function isDigest(value: unknown): value is string {
  return isHexDigest(value) && value !== ZERO_DIGEST;
}
