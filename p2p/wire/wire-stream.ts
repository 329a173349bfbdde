import type { Stream } from '@libp2p/interface';
import { canonicalJson, type JsonValue, parseStrictJson } from '../../evaluator/identity/index.ts';
import { PeerError } from '../errors.ts';
import { FRAME_MAX_BYTES } from '../limits.ts';

const LENGTH_BYTES = 4;

/**
 * A libp2p stream as this protocol uses it: frames of u32 big-endian length and canonical JSON, and raw chunks.
 * What the other side may have sent ahead is bounded: the library buffers without limit once a listener is attached,
 * so more than `maxAheadBytes` unread aborts the stream.
 */
export class WireStream {
  readonly #stream: Stream;
  readonly #maxAheadBytes: number;
  #chunks: Uint8Array[] = [];
  #buffered = 0;
  #error: Error | null = null;
  #wake: (() => void) | null = null;

  constructor(stream: Stream, maxAheadBytes: number) {
    this.#stream = stream;
    this.#maxAheadBytes = maxAheadBytes;
    stream.addEventListener('message', (event) => this.#receive(event.data.subarray()));
    stream.addEventListener('remoteCloseWrite', () => this.#wake?.());
    stream.addEventListener('close', (event) => {
      this.#error ??=
        event.error === undefined ? null : new PeerError('STREAM_ENDED', undefined, { cause: event.error });
      this.#wake?.();
    });
  }

  /** The next `bytes` bytes. @throws PeerError STREAM_ENDED, STREAM_OVERFLOW; the signal's reason */
  async read(bytes: number, signal: AbortSignal): Promise<Uint8Array> {
    if (!(await this.#fill(bytes, signal))) throw new PeerError('STREAM_ENDED');
    return this.#take(bytes);
  }

  /** The next frame. @throws PeerError FRAME_TOO_LARGE, FRAME_MALFORMED and what {@link read} throws */
  async readFrame(signal: AbortSignal): Promise<JsonValue> {
    const head = await this.read(LENGTH_BYTES, signal);
    const length = new DataView(head.buffer, head.byteOffset, LENGTH_BYTES).getUint32(0);
    if (length > FRAME_MAX_BYTES) throw new PeerError('FRAME_TOO_LARGE');
    return decodeFrame(await this.read(length, signal));
  }

  /** True once the other side has closed and everything was read; false as soon as there is a byte. */
  async atEnd(signal: AbortSignal): Promise<boolean> {
    return !(await this.#fill(1, signal));
  }

  /** Queues a frame. @throws PeerError FRAME_TOO_LARGE, STREAM_ENDED */
  writeFrame(value: unknown): void {
    this.write(encodeFrame(value));
  }

  /** Queues raw bytes; the peer's next request tells that they arrived, so there is nothing to wait for. */
  write(bytes: Uint8Array): void {
    try {
      this.#stream.send(bytes);
    } catch (cause) {
      throw new PeerError('STREAM_ENDED', undefined, { cause });
    }
  }

  /** Closes our side once what is queued is sent. */
  async close(signal: AbortSignal): Promise<void> {
    if (this.#stream.status === 'open') await this.#stream.close({ signal });
  }

  /** Waits until both sides have closed, so that the muxer forgets the stream. */
  async closed(signal: AbortSignal): Promise<void> {
    while (this.#stream.status === 'open' || this.#stream.status === 'closing') await this.#change(signal);
  }

  abort(error: Error): void {
    this.#stream.abort(error);
  }

  #receive(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#buffered += bytes.length;
    if (this.#buffered > this.#maxAheadBytes && this.#error === null) {
      this.#error = new PeerError('STREAM_OVERFLOW');
      this.#stream.abort(this.#error);
    }
    this.#wake?.();
  }

  async #fill(bytes: number, signal: AbortSignal): Promise<boolean> {
    while (this.#buffered < bytes) {
      if (this.#error !== null) throw this.#error;
      if (this.#ended()) return false;
      await this.#change(signal);
    }
    if (this.#error !== null && this.#buffered > this.#maxAheadBytes) throw this.#error;
    return true;
  }

  #ended(): boolean {
    const { status, remoteWriteStatus, readBufferLength } = this.#stream;
    return readBufferLength === 0 && (remoteWriteStatus !== 'writable' || !(status === 'open' || status === 'closing'));
  }

  async #change(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<void>();
    const onAbort = (): void => resolve();
    this.#wake = onAbort;
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await promise;
    } finally {
      this.#wake = null;
      signal.removeEventListener('abort', onAbort);
    }
    signal.throwIfAborted();
  }

  #take(bytes: number): Uint8Array {
    const all = this.#chunks.length === 1 ? (this.#chunks[0] as Uint8Array) : Buffer.concat(this.#chunks);
    const rest = all.subarray(bytes);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#buffered = rest.length;
    return all.subarray(0, bytes);
  }
}

/** A frame's bytes: length and canonical JSON. @throws PeerError FRAME_TOO_LARGE */
export function encodeFrame(value: unknown): Uint8Array {
  const body = Buffer.from(canonicalJson(value), 'utf8');
  if (body.length > FRAME_MAX_BYTES) throw new PeerError('FRAME_TOO_LARGE', undefined, { fault: 'infrastructure' });
  const frame = Buffer.alloc(LENGTH_BYTES + body.length);
  frame.writeUInt32BE(body.length);
  body.copy(frame, LENGTH_BYTES);
  return frame;
}

/** Reads a frame's body; JSON that is not canonical is refused, not repaired. @throws PeerError FRAME_MALFORMED */
export function decodeFrame(body: Uint8Array): JsonValue {
  let value: JsonValue;
  try {
    value = parseStrictJson(body, FRAME_MAX_BYTES);
  } catch (cause) {
    throw new PeerError('FRAME_MALFORMED', undefined, { cause });
  }
  if (Buffer.compare(Buffer.from(canonicalJson(value), 'utf8'), body) !== 0) {
    throw new PeerError('FRAME_MALFORMED', 'JSON is not canonical');
  }
  return value;
}
