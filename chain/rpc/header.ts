import { compactToU8a, hexToU8a, u8aConcat } from '@polkadot/util';
import { blake2AsHex } from '@polkadot/util-crypto';
import { ChainError } from '../errors.ts';
import { HEADER_LOG_MAX_CHARS, HEADER_LOGS_MAX } from './limits.ts';

export interface FinalizedHead {
  readonly height: number;
  /** "0x" + 64 hex. */
  readonly hash: string;
  readonly parentHash: string;
}

const HASH = /^0x[0-9a-f]{64}$/;
const HEX = /^0x(?:[0-9a-f]{2})*$/;
const HEIGHT = /^0x[0-9a-f]{1,12}$/;

export function isBlockHash(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && HASH.test(value);
}

export function isHex(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && HEX.test(value);
}

/**
 * Reads `chain_getHeader`'s answer for `hash` and hashes it again, so that below a trusted head no endpoint can give a
 * false height or parent. RPC_MALFORMED, HEADER_MISMATCH.
 */
export function parseHeader(value: unknown, hash: string): FinalizedHead {
  const { parentHash, number, stateRoot, extrinsicsRoot, digest } = (value ?? {}) as Record<string, unknown>;
  if (!isBlockHash(parentHash)) throw malformed('parentHash');
  if (typeof number !== 'string' || !HEIGHT.test(number)) throw malformed('number');
  if (!isBlockHash(stateRoot)) throw malformed('stateRoot');
  if (!isBlockHash(extrinsicsRoot)) throw malformed('extrinsicsRoot');
  const height = Number(number);
  const logs = parseLogs(digest);
  const encoded = u8aConcat(
    hexToU8a(parentHash),
    compactToU8a(height),
    hexToU8a(stateRoot),
    hexToU8a(extrinsicsRoot),
    compactToU8a(logs.length),
    ...logs.map((log) => hexToU8a(log)),
  );
  if (blake2AsHex(encoded, 256) !== hash) throw new ChainError('HEADER_MISMATCH');
  return { height, hash, parentHash };
}

function parseLogs(digest: unknown): readonly `0x${string}`[] {
  const { logs } = (digest ?? {}) as Record<string, unknown>;
  if (!Array.isArray(logs) || logs.length > HEADER_LOGS_MAX) throw malformed('digest.logs');
  return logs.map((log: unknown) => {
    if (!isHex(log) || log.length > HEADER_LOG_MAX_CHARS) throw malformed('digest.logs');
    return log;
  });
}

function malformed(field: string): ChainError {
  return new ChainError('RPC_MALFORMED', undefined, { field: `chain_getHeader.${field}` });
}
