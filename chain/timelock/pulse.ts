import { TimelockError } from './errors.ts';
import { SECRET_BYTES } from './limits.ts';
import { G2_GENERATOR, pairingsEqual, parseG1, parseG2, roundPoint, SCALAR_ORDER } from './points.ts';

/**
 * True if `signature` (48 bytes of G1) is the beacon's pulse of `round`; false for any other bytes.
 * POINT_INVALID only if our own `publicKey` (96 bytes of G2) is malformed.
 */
export function verifyPulse(round: number | bigint, signature: Uint8Array, publicKey: Uint8Array): boolean {
  const key = parseG2(publicKey, 'publicKey');
  const identity = roundPoint(round);
  try {
    return pairingsEqual(parseG1(signature, 'signature'), G2_GENERATOR, identity, key);
  } catch (error) {
    if (error instanceof TimelockError && error.code === 'POINT_INVALID') return false;
    throw error;
  }
}

/** The pulse of `round` under a beacon key of our own: the development chain's beacon. 48 bytes. */
export function signPulse(round: number | bigint, secretKey: Uint8Array): Uint8Array {
  return roundPoint(round).multiply(secretScalar(secretKey)).toBytes();
}

/** The 96-byte public key of a 32-byte big-endian beacon secret. */
export function pulsePublicKey(secretKey: Uint8Array): Uint8Array {
  return G2_GENERATOR.multiply(secretScalar(secretKey)).toBytes();
}

function secretScalar(secretKey: Uint8Array): bigint {
  if (secretKey.length !== SECRET_BYTES) throw new TimelockError('SECRET_KEY_RANGE');
  const scalar = BigInt(`0x${Buffer.from(secretKey).toString('hex')}`);
  if (scalar === 0n || scalar >= SCALAR_ORDER) throw new TimelockError('SECRET_KEY_RANGE');
  return scalar;
}
