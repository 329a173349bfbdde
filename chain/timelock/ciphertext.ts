import { TimelockError } from './errors.ts';
import {
  CIPHER_SUITE,
  CIPHERTEXT_MAX_BYTES,
  G2_BYTES,
  LENGTH_PREFIX_BYTES,
  NONCE_BYTES,
  OVERHEAD_BYTES,
  SECRET_BYTES,
  TAG_BYTES,
} from './limits.ts';

/** The parts of a TLECiphertext<TinyBLS381>; points are not judged yet. */
export interface Ciphertext {
  /** r*G2, compressed. */
  readonly u: Uint8Array;
  /** sigma, masked. */
  readonly v: Uint8Array;
  /** The AES key, masked by sigma. */
  readonly w: Uint8Array;
  /** AES-256-GCM ciphertext followed by its tag. */
  readonly sealed: Uint8Array;
  readonly nonce: Uint8Array;
  /** Not checked when opening, as on the chain. */
  readonly suite: Uint8Array;
  /** Bytes after the structure: ignored by the chain before spec 446, refused from then on. */
  readonly trailingBytes: number;
}

/**
 * Splits a ciphertext (`notes/timelock.md` section 1) within its bounds.
 * CIPHERTEXT_SIZE, CIPHERTEXT_MALFORMED (field = the part that does not fit).
 */
export function parseCiphertext(bytes: Uint8Array): Ciphertext {
  if (bytes.length < OVERHEAD_BYTES || bytes.length > CIPHERTEXT_MAX_BYTES) throw new TimelockError('CIPHERTEXT_SIZE');
  const reader = new Reader(bytes, 'ciphertext');
  const u = reader.take(G2_BYTES, 'u');
  const v = reader.takeVector('v', SECRET_BYTES);
  const w = reader.takeVector('w', SECRET_BYTES);
  const body = new Reader(reader.takeVector('body'), 'body');
  const sealed = body.takeVector('sealed');
  if (sealed.length < TAG_BYTES) throw malformed('sealed');
  const nonce = body.takeVector('nonce', NONCE_BYTES);
  body.finish();
  const suite = reader.takeVector('suite', CIPHER_SUITE.length);
  return { u, v, w, sealed, nonce, suite, trailingBytes: reader.left() };
}

/** The bytes of a ciphertext's parts. */
export function serializeCiphertext(parts: Omit<Ciphertext, 'suite' | 'trailingBytes'>): Uint8Array {
  const body = Buffer.concat([vector(parts.sealed), vector(parts.nonce)]);
  return Buffer.concat([parts.u, vector(parts.v), vector(parts.w), vector(body), vector(Buffer.from(CIPHER_SUITE))]);
}

function vector(bytes: Uint8Array): Uint8Array {
  const length = Buffer.alloc(LENGTH_PREFIX_BYTES);
  length.writeBigUInt64LE(BigInt(bytes.length));
  return Buffer.concat([length, bytes]);
}

function malformed(field: string): TimelockError {
  return new TimelockError('CIPHERTEXT_MALFORMED', undefined, { field });
}

class Reader {
  readonly #bytes: Buffer;
  readonly #name: string;
  #offset = 0;

  constructor(bytes: Uint8Array, name: string) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#name = name;
  }

  left(): number {
    return this.#bytes.length - this.#offset;
  }

  take(length: number, field: string): Uint8Array {
    if (length > this.left()) throw malformed(field);
    const start = this.#offset;
    this.#offset += length;
    return Uint8Array.from(this.#bytes.subarray(start, this.#offset));
  }

  /** A vector with a u64 little-endian length, of exactly `expected` bytes if that is given. */
  takeVector(field: string, expected?: number): Uint8Array {
    const length = Buffer.from(this.take(LENGTH_PREFIX_BYTES, field)).readBigUInt64LE();
    if (length > BigInt(this.left())) throw malformed(field);
    if (expected !== undefined && length !== BigInt(expected)) throw malformed(field);
    return this.take(Number(length), field);
  }

  finish(): void {
    if (this.left() !== 0) throw malformed(this.#name);
  }
}
