import { readSync, writeSync } from 'node:fs';
import { checkedLength, decodeFrame, encodeFrame, type Frame, FrameError } from './frame.ts';

const STDIN = 0;
const STDOUT = 1;

function readExactly(bytes: Uint8Array): boolean {
  let at = 0;
  while (at < bytes.length) {
    const read = readSync(STDIN, bytes, at, bytes.length - at, null);
    if (read === 0) {
      if (at === 0) return false;
      throw new FrameError('input ended inside a frame');
    }
    at += read;
  }
  return true;
}

/**
 * The next frame from standard input, waiting for it without an event loop: a process started by the host does one
 * thing at a time. Null at the end of input, which means that the host is gone.
 */
export function readFrame(): Frame | null {
  const prefix = Buffer.alloc(4);
  if (!readExactly(prefix)) return null;
  const bytes = new Uint8Array(checkedLength(prefix.readUInt32BE(0)));
  if (!readExactly(bytes)) throw new FrameError('input ended inside a frame');
  return decodeFrame(bytes);
}

/** Writes one frame to standard output, all of it. */
export function writeFrame(kind: number, sequence: number, value: unknown, parts: readonly Uint8Array[] = []): void {
  const bytes = encodeFrame(kind, sequence, JSON.stringify(value), parts);
  let at = 0;
  while (at < bytes.length) at += writeSync(STDOUT, bytes, at, bytes.length - at);
}
