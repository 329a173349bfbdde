import { isHexDigest } from '../identity/index.ts';
import { ANCHOR_MAX_BYTES, MAX_CAPACITY } from './constants.ts';
import { PeerError } from './errors.ts';

/** The five anchors of `peer-protocol.md` section 3. Digests are 64 hex digits, all zero included. */
export type Anchor = ReadyAnchor | ResultAnchor | BallotAnchor | PolicyAnchor;

export interface ReadyAnchor {
  readonly kind: 'ready';
  readonly arena_digest: string;
  /** 0..16; 0 takes the ready row away. */
  readonly capacity: number;
}

export interface ResultAnchor {
  readonly kind: 'attempt' | 'receipt';
  readonly cohort_index: number;
  /** 2i + s is member i, side s. */
  readonly place: number;
  readonly digest: string;
}

export interface BallotAnchor {
  readonly kind: 'ballot';
  readonly cohort_index: number;
  /** Bit p says: I hold every byte of the result at place p. */
  readonly bitmap: bigint;
  /** Digest of the record before this cohort, all zero for cohort 0. */
  readonly previous: string;
}

export interface PolicyAnchor {
  readonly kind: 'policy';
  readonly consensus_digest: string;
  readonly activation_height: bigint;
}

const VERSION = 1;
const KINDS = { ready: 1, attempt: 2, receipt: 3, ballot: 4, policy: 5 } as const;
const U8_MAX = 0xff;
const U32_MAX = 0xffff_ffff;
const U64_MAX = 0xffff_ffff_ffff_ffffn;
/** Total bytes by kind byte. */
const SIZES: Readonly<Record<number, number>> = { 1: 35, 2: 39, 3: 39, 4: 46, 5: 42 };

/** Reads the bytes of the one Raw field. Null if they are no well-formed anchor; never throws. */
export function decodeAnchor(raw: Uint8Array): Anchor | null {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const kind = bytes[1];
  if (bytes[0] !== VERSION || kind === undefined || bytes.length !== SIZES[kind]) return null;
  switch (kind) {
    case KINDS.ready: {
      const capacity = bytes.readUInt8(34);
      return capacity > MAX_CAPACITY ? null : { kind: 'ready', arena_digest: hex(bytes, 2), capacity };
    }
    case KINDS.attempt:
    case KINDS.receipt: {
      const name = kind === KINDS.attempt ? 'attempt' : 'receipt';
      return { kind: name, cohort_index: bytes.readUInt32BE(2), place: bytes.readUInt8(6), digest: hex(bytes, 7) };
    }
    case KINDS.ballot: {
      const bitmap = bytes.readBigUInt64BE(6);
      return { kind: 'ballot', cohort_index: bytes.readUInt32BE(2), bitmap, previous: hex(bytes, 14) };
    }
    default:
      return { kind: 'policy', consensus_digest: hex(bytes, 2), activation_height: bytes.readBigUInt64BE(34) };
  }
}

/** As {@link decodeAnchor}, from hex digits without 0x. */
export function decodeAnchorHex(payload: string): Anchor | null {
  if (payload.length > 2 * ANCHOR_MAX_BYTES || !/^(?:[0-9a-f]{2})*$/.test(payload)) return null;
  return decodeAnchor(Buffer.from(payload, 'hex'));
}

/**
 * The bytes of an anchor.
 * @throws PeerError ANCHOR_MALFORMED naming the field that does not fit
 */
export function encodeAnchor(anchor: Anchor): Uint8Array {
  const kind = KINDS[anchor.kind];
  const bytes = Buffer.alloc(SIZES[kind] as number);
  bytes[0] = VERSION;
  bytes[1] = kind;
  switch (anchor.kind) {
    case 'ready':
      put(bytes, 2, anchor.arena_digest, 'arena_digest');
      bytes.writeUInt8(bounded(anchor.capacity, MAX_CAPACITY, 'capacity'), 34);
      break;
    case 'ballot':
      bytes.writeUInt32BE(bounded(anchor.cohort_index, U32_MAX, 'cohort_index'), 2);
      bytes.writeBigUInt64BE(boundedBig(anchor.bitmap, 'bitmap'), 6);
      put(bytes, 14, anchor.previous, 'previous');
      break;
    case 'policy':
      put(bytes, 2, anchor.consensus_digest, 'consensus_digest');
      bytes.writeBigUInt64BE(boundedBig(anchor.activation_height, 'activation_height'), 34);
      break;
    default:
      bytes.writeUInt32BE(bounded(anchor.cohort_index, U32_MAX, 'cohort_index'), 2);
      bytes.writeUInt8(bounded(anchor.place, U8_MAX, 'place'), 6);
      put(bytes, 7, anchor.digest, 'digest');
  }
  return new Uint8Array(bytes);
}

function hex(bytes: Buffer, from: number): string {
  return bytes.toString('hex', from, from + 32);
}

function put(bytes: Buffer, at: number, digest: string, field: string): void {
  if (!isHexDigest(digest)) throw new PeerError('ANCHOR_MALFORMED', 'not 64 lowercase hex digits', { field });
  bytes.write(digest, at, 'hex');
}

function bounded(value: number, max: number, field: string): number {
  if (Number.isSafeInteger(value) && value >= 0 && value <= max) return value;
  throw new PeerError('ANCHOR_MALFORMED', `not an integer from 0 to ${max}`, { field });
}

function boundedBig(value: bigint, field: string): bigint {
  if (typeof value === 'bigint' && value >= 0n && value <= U64_MAX) return value;
  throw new PeerError('ANCHOR_MALFORMED', 'not an unsigned 64-bit integer', { field });
}
