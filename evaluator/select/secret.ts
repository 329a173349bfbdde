import { createHash } from 'node:crypto';
import { canonicalDigest } from '../identity/index.ts';
import { SelectError } from './errors.ts';
import { SECRET_MAX_BYTES, SECRET_MIN_BYTES } from './limits.ts';

/**
 * SHA-256("cacheon-selection-secret-v1" 0x00 secret) (`protocol.md` section 10).
 * @throws SelectError SECRET_LENGTH
 */
export function secretCommitment(secret: Uint8Array): string {
  if (secret.length < SECRET_MIN_BYTES || secret.length > SECRET_MAX_BYTES) throw new SelectError('SECRET_LENGTH');
  return createHash('sha256').update('cacheon-selection-secret-v1\0', 'latin1').update(secret).digest('hex');
}

/**
 * The selection seed of `peer-protocol.md` section 9, 64 hex digits. It exists only once the block that is
 * `lag_blocks` above the attempt anchor is finalized.
 * @param blockHash "0x" + 64 hex of that block
 */
export function selectionSeed(attemptDigest: string, blockHash: string, secret: Uint8Array): string {
  return canonicalDigest('cacheon.peer.selection-seed.v1', {
    attempt_digest: attemptDigest,
    block_hash: blockHash,
    secret: Buffer.from(secret).toString('hex'),
  });
}
