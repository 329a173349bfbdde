import { comparePathComponents, hashedFiles, isSkippedPath, type TreeFile } from '../../../evaluator/identity/index.ts';
import { StoreError } from '../errors.ts';
import {
  BUNDLE_MAX_FILE_BYTES,
  BUNDLE_MAX_FILES,
  BUNDLE_MAX_PATH_BYTES,
  BUNDLE_MAX_TOTAL_BYTES,
  PACK_MAX_BYTES,
} from '../limits.ts';

/**
 * A pack is exactly what the content hash is taken over (`protocol.md` section 9): for each hashed file in component
 * order u32be path length, path, u64be data length, data. So SHA-256(pack) is the content hash, and a bundle travels
 * between peers as one blob.
 */
export function packChunks(files: readonly TreeFile[]): Uint8Array[] {
  return hashedFiles(files).flatMap(({ path, data }) => {
    const name = Buffer.from(path, 'utf8');
    const head = Buffer.alloc(4 + name.length + 8);
    head.writeUInt32BE(name.length);
    name.copy(head, 4);
    head.writeBigUInt64BE(BigInt(data.length), 4 + name.length);
    return [head, data];
  });
}

/**
 * Reads a pack within the limits of `protocol.md` section 8. The files are views into `pack`.
 * @throws StoreError PACK_MALFORMED
 */
export function unpack(pack: Uint8Array): TreeFile[] {
  if (pack.length > PACK_MAX_BYTES) refuse(`over ${PACK_MAX_BYTES} bytes`);
  const bytes = Buffer.from(pack.buffer, pack.byteOffset, pack.byteLength);
  const files: TreeFile[] = [];
  let at = 0;
  let total = 0;
  while (at < bytes.length) {
    if (files.length === BUNDLE_MAX_FILES) refuse(`more than ${BUNDLE_MAX_FILES} files`);
    const pathLength = at + 4 <= bytes.length ? bytes.readUInt32BE(at) : refuse('ends inside a path length');
    if (pathLength > BUNDLE_MAX_PATH_BYTES) refuse(`a path over ${BUNDLE_MAX_PATH_BYTES} bytes`);
    at += 4;
    if (at + pathLength + 8 > bytes.length) refuse('ends inside a path');
    const path = readPath(bytes.subarray(at, at + pathLength), files.at(-1)?.path);
    at += pathLength;
    const size = bytes.readBigUInt64BE(at);
    at += 8;
    if (size > BigInt(BUNDLE_MAX_FILE_BYTES)) refuse(`a file over ${BUNDLE_MAX_FILE_BYTES} bytes`);
    if (BigInt(at) + size > BigInt(bytes.length)) refuse('ends inside a file');
    total += Number(size);
    if (total > BUNDLE_MAX_TOTAL_BYTES) refuse(`more than ${BUNDLE_MAX_TOTAL_BYTES} bytes of files`);
    files.push({ path, data: bytes.subarray(at, at + Number(size)) });
    at += Number(size);
  }
  if (files.length === 0) refuse('no files');
  return files;
}

/** The order is strict, so that one list of files has one pack; a name that is a file is never a folder too. */
function readPath(raw: Uint8Array, before: string | undefined): string {
  let path: string;
  try {
    path = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    return refuse('a path that is not UTF-8');
  }
  const components = path.split('/');
  const bad = components.some((c) => c === '' || c === '.' || c === '..') || /[\\\u0000-\u001f\u007f]/.test(path);
  if (bad || isSkippedPath(path)) refuse('a path that a bundle cannot have');
  if (before !== undefined) {
    if (comparePathComponents(before, path) >= 0) refuse('paths out of order');
    if (path.startsWith(`${before}/`)) refuse('a file that is also a folder');
  }
  return path;
}

function refuse(why: string): never {
  throw new StoreError('PACK_MALFORMED', why);
}
