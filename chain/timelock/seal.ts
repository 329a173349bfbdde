import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { parseCiphertext, serializeCiphertext } from './ciphertext.ts';
import { TimelockError } from './errors.ts';
import { CIPHERTEXT_MAX_BYTES, NONCE_BYTES, OVERHEAD_BYTES, SECRET_BYTES, TAG_BYTES } from './limits.ts';
import { G2_GENERATOR, hashGt, pairing, parseG1, parseG2, roundPoint, SCALAR_ORDER } from './points.ts';

const CIPHER = 'aes-256-gcm';

export interface TimelockRequest {
  readonly plaintext: Uint8Array;
  /** The drand round whose signature will open it. */
  readonly round: number | bigint;
  /** 96 bytes of G2: the beacon's key. */
  readonly publicKey: Uint8Array;
}

export interface TimelockDependencies {
  /** Asked for the AES key (32), sigma (32) and the nonce (12), in this order. */
  readonly randomBytes: (length: number) => Uint8Array;
}

/**
 * Encrypts for the holder of the pulse of `round`, in the format that subtensor opens by itself
 * (`notes/timelock.md` sections 1 and 3). PLAINTEXT_SIZE, ROUND_RANGE, POINT_INVALID.
 */
export function timelockEncrypt(request: TimelockRequest, { randomBytes }: TimelockDependencies): Uint8Array {
  if (request.plaintext.length > CIPHERTEXT_MAX_BYTES - OVERHEAD_BYTES) throw new TimelockError('PLAINTEXT_SIZE');
  const publicKey = parseG2(request.publicKey, 'publicKey');
  const identity = roundPoint(request.round);
  const key = randomBytes(SECRET_BYTES);
  const sigma = randomBytes(SECRET_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const r = blindingScalar(sigma, key);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  const sealed = Buffer.concat([cipher.update(request.plaintext), cipher.final(), cipher.getAuthTag()]);
  return serializeCiphertext({
    u: G2_GENERATOR.multiply(r).toBytes(),
    v: xor(sigma, hashGt(pairing(identity, publicKey.multiply(r)))),
    w: xor(key, createHash('sha256').update(sigma).digest()),
    sealed,
    nonce,
  });
}

/**
 * Opens a ciphertext with the pulse of its round, as `on_initialize` of the chain does. Everything the chain drops
 * is refused: CIPHERTEXT_SIZE, CIPHERTEXT_MALFORMED, CIPHERTEXT_REJECTED; POINT_INVALID for the signature itself.
 */
export function timelockDecrypt(ciphertext: Uint8Array, signature: Uint8Array): Uint8Array {
  const parts = parseCiphertext(ciphertext);
  const pulse = parseG1(signature, 'signature');
  const u = blindedPoint(parts.u);
  const sigma = xor(parts.v, hashGt(pairing(pulse, u)));
  const key = xor(parts.w, createHash('sha256').update(sigma).digest());
  if (!G2_GENERATOR.multiply(blindingScalar(sigma, key)).equals(u)) throw new TimelockError('CIPHERTEXT_REJECTED');
  const split = parts.sealed.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, parts.nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(parts.sealed.subarray(split));
  try {
    return Buffer.concat([decipher.update(parts.sealed.subarray(0, split)), decipher.final()]);
  } catch (cause) {
    throw new TimelockError('CIPHERTEXT_REJECTED', undefined, { field: 'sealed', cause });
  }
}

function blindedPoint(bytes: Uint8Array) {
  try {
    return parseG2(bytes, 'u');
  } catch (cause) {
    throw new TimelockError('CIPHERTEXT_MALFORMED', undefined, { field: 'u', cause });
  }
}

/** The scalar that binds U to sigma and the key: a ciphertext that was changed does not give it back. */
function blindingScalar(sigma: Uint8Array, key: Uint8Array): bigint {
  const digest = createHash('sha256').update(sigma).update(key).digest('hex');
  return BigInt(`0x${digest}`) % SCALAR_ORDER;
}

function xor(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.map((byte, index) => byte ^ (b[index] as number));
}
