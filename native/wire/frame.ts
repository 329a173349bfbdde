/**
 * Frames between the host and the processes it starts (`docs/LANES.md`): a big-endian u32 with the length of what
 * follows, then version, kind, two zero bytes, sequence number, JSON length, JSON text, binary body. This module runs on
 * both sides, so it imports nothing but what every Node process has.
 */

export const FRAME_VERSION = 1;
/** Bytes after the length field and before the JSON text. */
export const FRAME_HEADER_BYTES = 12;
/** Largest value of the length field, either direction. */
export const FRAME_MAX_BYTES = 24 * 1024 * 1024;
/** Largest JSON text of a frame. */
export const FRAME_MAX_JSON_BYTES = 256 * 1024;

export interface Frame {
  readonly kind: number;
  /** Chosen by the host, repeated in the answer. */
  readonly sequence: number;
  readonly json: string;
  readonly body: Uint8Array;
}

export class FrameError extends Error {}

const NO_BYTES = new Uint8Array(0);

/** One frame as bytes. The parts of the body are copied. */
export function encodeFrame(
  kind: number,
  sequence: number,
  json: string,
  parts: readonly Uint8Array[] = [],
): Uint8Array {
  const text = Buffer.from(json, 'utf8');
  let length = FRAME_HEADER_BYTES + text.length;
  for (const part of parts) length += part.length;
  if (length > FRAME_MAX_BYTES || text.length > FRAME_MAX_JSON_BYTES) throw new FrameError('frame too long');
  const bytes = Buffer.alloc(4 + length);
  bytes.writeUInt32BE(length, 0);
  bytes.writeUInt8(FRAME_VERSION, 4);
  bytes.writeUInt8(kind, 5);
  bytes.writeUInt32BE(sequence, 8);
  bytes.writeUInt32BE(text.length, 12);
  text.copy(bytes, 16);
  let at = 16 + text.length;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/**
 * The frame whose bytes after the length field are `bytes`; the body is a view of them.
 * @throws FrameError
 */
export function decodeFrame(bytes: Uint8Array): Frame {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < FRAME_HEADER_BYTES) throw new FrameError('frame shorter than its header');
  if (buffer.readUInt8(0) !== FRAME_VERSION) throw new FrameError('frame of another version');
  if (buffer.readUInt16BE(2) !== 0) throw new FrameError('reserved bytes are not zero');
  const jsonLength = buffer.readUInt32BE(8);
  if (jsonLength > FRAME_MAX_JSON_BYTES || jsonLength > buffer.length - FRAME_HEADER_BYTES) {
    throw new FrameError('JSON text longer than its frame');
  }
  const end = FRAME_HEADER_BYTES + jsonLength;
  return {
    kind: buffer.readUInt8(1),
    sequence: buffer.readUInt32BE(4),
    json: buffer.toString('utf8', FRAME_HEADER_BYTES, end),
    body: bytes.subarray(end),
  };
}

/** Refuses a length field before a byte of the frame is stored. */
export function checkedLength(length: number): number {
  if (length < FRAME_HEADER_BYTES) throw new FrameError('frame shorter than its header');
  if (length > FRAME_MAX_BYTES) throw new FrameError('frame too long');
  return length;
}

/** Cuts a stream of chunks into frames; holds at most one unfinished frame. */
export class FrameReader {
  readonly #prefix = Buffer.alloc(4);
  #prefixFilled = 0;
  #frame: Uint8Array = NO_BYTES;
  #filled = 0;

  /**
   * Takes a chunk, calls `onFrame` for each frame that it completes.
   * @throws FrameError at the first malformed one; the reader is of no use after that
   */
  push(chunk: Uint8Array, onFrame: (frame: Frame) => void): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#prefixFilled < 4) {
        const taken = Math.min(4 - this.#prefixFilled, chunk.length - at);
        this.#prefix.set(chunk.subarray(at, at + taken), this.#prefixFilled);
        this.#prefixFilled += taken;
        at += taken;
        if (this.#prefixFilled < 4) return;
        this.#frame = new Uint8Array(checkedLength(this.#prefix.readUInt32BE(0)));
        this.#filled = 0;
      }
      const taken = Math.min(this.#frame.length - this.#filled, chunk.length - at);
      this.#frame.set(chunk.subarray(at, at + taken), this.#filled);
      this.#filled += taken;
      at += taken;
      if (this.#filled < this.#frame.length) return;
      const complete = this.#frame;
      this.#frame = NO_BYTES;
      this.#prefixFilled = 0;
      onFrame(decodeFrame(complete));
    }
  }
}
