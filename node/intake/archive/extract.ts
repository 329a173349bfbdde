import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import type { TreeFile } from '../../../evaluator/identity/index.ts';
import { IntakeError } from '../errors.ts';
import { ArchiveMembers } from './members.ts';
import { TarPreflight } from './preflight.ts';

/** Bytes handed to the decompressor at a time, so that the event loop is never held for long. */
const PIECE_BYTES = 64 * 1024;
/** Bytes it gives back at a time. */
const OUTPUT_BYTES = 256 * 1024;

/**
 * Unpacks a .tar.gz in memory, within the limits of `protocol.md` section 8; nothing touches the disk.
 * @throws IntakeError ARCHIVE_*, FETCH_ABORTED
 */
export async function extractArchive(archive: Uint8Array, signal: AbortSignal): Promise<TreeFile[]> {
  const members = new ArchiveMembers();
  const gunzip = createGunzip({ chunkSize: OUTPUT_BYTES });
  const unpack = extract();
  unpack.on('entry', (header, stream, next) => {
    collect(stream as unknown as AsyncIterable<Uint8Array>).then(
      (data) => {
        try {
          addMember(members, header, data);
          next();
        } catch (error) {
          next(error as Error);
        }
      },
      (error) => next(error),
    );
  });
  try {
    await pipeline(Readable.from(pieces(archive)), gunzip, preflight, unpack, { signal });
  } catch (cause) {
    throw typed(cause, signal);
  }
  if (gunzip.bytesWritten !== archive.length) throw new IntakeError('ARCHIVE_GZIP', 'bytes after the gzip stream');
  return members.files();
}

async function* preflight(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const check = new TarPreflight();
  for await (const chunk of source) {
    check.push(chunk);
    yield chunk;
  }
  check.end();
}

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function addMember(members: ArchiveMembers, header: Header, data: Uint8Array): void {
  if (header.type === 'directory') members.addDirectory(header.name);
  else if (header.type === 'file') members.addFile(header.name, data);
  else throw new IntakeError('ARCHIVE_MEMBER');
}

function typed(cause: unknown, signal: AbortSignal): unknown {
  if (cause instanceof IntakeError) return cause;
  if (signal.aborted) return new IntakeError('FETCH_ABORTED');
  const { code } = cause as { code?: string };
  if (code?.startsWith('Z_') === true) return new IntakeError('ARCHIVE_GZIP', undefined, { cause });
  return new IntakeError('ARCHIVE_MALFORMED', undefined, { cause });
}
