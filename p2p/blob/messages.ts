import { ObjectReader } from '../../evaluator/fields/index.ts';
import { BLOB_CHUNK_BYTES } from '../limits.ts';

/**
 * `/cacheon/blob/1.0.0`: on one stream, as often as the asker likes,
 *
 *   ask   {digest, offset}
 *   reply {length, size, status} and then exactly `length` raw bytes from `offset`, at most 1 MiB
 *
 * until the asker closes its side. status: ok; absent (not held, or not shown yet); busy (ask again later); length
 * and size are 0 unless ok. size is that of the whole blob; only its SHA-256 proves anything.
 */
export const BLOB_PROTOCOL = '/cacheon/blob/1.0.0';

export interface BlobRequest {
  readonly digest: string;
  readonly offset: number;
}

export interface BlobReply {
  readonly status: 'ok' | 'absent' | 'busy';
  /** Bytes of the whole blob. */
  readonly size: number;
  /** Raw bytes that follow. */
  readonly length: number;
}

/** @throws FieldError */
export function parseBlobRequest(value: unknown): BlobRequest {
  const reader = new ObjectReader(value, 'blob request', ['digest', 'offset']);
  return { digest: reader.digest('digest'), offset: reader.integer('offset', 0) };
}

/** @throws FieldError */
export function parseBlobReply(value: unknown): BlobReply {
  const reader = new ObjectReader(value, 'blob reply', ['length', 'size', 'status']);
  return {
    status: reader.oneOf('status', ['ok', 'absent', 'busy']),
    size: reader.integer('size', 0),
    length: reader.integer('length', 0, BLOB_CHUNK_BYTES),
  };
}

/** How many bytes follow an ok reply for this offset: both sides compute the same. */
export function chunkLength(size: number, offset: number): number {
  return Math.max(0, Math.min(BLOB_CHUNK_BYTES, size - offset));
}
