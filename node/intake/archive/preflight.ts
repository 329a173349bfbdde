import { IntakeError } from '../errors.ts';
import {
  EXTENSION_MAX_BYTES,
  EXTENSIONS_MAX_BYTES,
  EXTRACTED_MAX_BYTES,
  FILE_MAX_BYTES,
  HEADERS_MAX,
  MEMBERS_MAX,
  TAR_MAX_BYTES,
} from '../limits.ts';
import { checkPaxHeader, decodeName } from './pax.ts';

const BLOCK = 512;
const ZERO_BLOCK = Buffer.alloc(BLOCK);
/** Octal digits, spaces before, spaces or NULs after. Binary sizes would only be needed above 8 GiB. */
const OCTAL = /^ *([0-7]{1,11})[ \0]*$/;

type Section = 'header' | 'data' | 'second marker' | 'trailer';

/**
 * Reads a tar stream along with the library that unpacks it, always ahead of it, and refuses what that library would
 * tolerate or buffer without bound: other member types, odd sizes, long extension headers, a missing end, and bytes
 * after the end. (`protocol.md` section 8, `bundle-format.md` section 2.)
 */
export class TarPreflight {
  readonly #block = Buffer.alloc(BLOCK);
  #filled = 0;
  #section: Section = 'header';
  /** Bytes of the current member that are still to come, padding included. */
  #remaining = 0;
  #extension: { content: Buffer; filled: number; type: string } | null = null;
  #total = 0;
  #headers = 0;
  #members = 0;
  #extracted = 0;
  #extensions = 0;

  /** Looks at the next bytes. @throws IntakeError */
  push(chunk: Uint8Array): void {
    this.#total += chunk.length;
    if (this.#total > TAR_MAX_BYTES) limit('unpacked size');
    let at = 0;
    while (at < chunk.length) at += this.#section === 'data' ? this.#skip(chunk, at) : this.#fill(chunk, at);
  }

  /** The stream is over. @throws IntakeError if it ends early */
  end(): void {
    if (this.#section !== 'trailer' || this.#filled !== 0) malformed('it does not end with two empty blocks');
  }

  #fill(chunk: Uint8Array, at: number): number {
    const piece = chunk.subarray(at, at + BLOCK - this.#filled);
    this.#block.set(piece, this.#filled);
    this.#filled += piece.length;
    if (this.#filled === BLOCK) {
      this.#filled = 0;
      this.#onBlock(this.#block.equals(ZERO_BLOCK));
    }
    return piece.length;
  }

  #onBlock(isZero: boolean): void {
    if (this.#section === 'header') {
      if (isZero) this.#section = 'second marker';
      else this.#onHeader();
    } else {
      if (!isZero) malformed(this.#section === 'trailer' ? 'bytes after the end' : 'only one empty block at the end');
      this.#section = 'trailer';
    }
  }

  #onHeader(): void {
    if (++this.#headers > HEADERS_MAX) limit('headers');
    const type = String.fromCharCode(this.#block[156] as number);
    const size = this.#size();
    const name = decodeName(until(this.#block.subarray(0, 100)));
    decodeName(until(this.#block.subarray(345, 500)));
    if (name === '') malformed('a header without a name');
    if (type === '0' || type === '\0') this.#onFile(size);
    else if (type === '5') this.#onDirectory(size);
    else if (type === 'x' || type === 'g' || type === 'L') this.#onExtension(type, size);
    else throw new IntakeError('ARCHIVE_MEMBER');
    this.#remaining = Math.ceil(size / BLOCK) * BLOCK;
    if (this.#remaining > 0) this.#section = 'data';
    else if (this.#extension !== null) malformed('an empty extension header');
  }

  #onFile(size: number): void {
    if (++this.#members > MEMBERS_MAX) limit('members');
    if (size > FILE_MAX_BYTES) limit('size of a file');
    this.#extracted += size;
    if (this.#extracted > EXTRACTED_MAX_BYTES) limit('size of all files');
  }

  #onDirectory(size: number): void {
    if (++this.#members > MEMBERS_MAX) limit('members');
    if (size !== 0) malformed('a directory with content');
  }

  #onExtension(type: string, size: number): void {
    this.#extensions += size;
    if (size > EXTENSION_MAX_BYTES || this.#extensions > EXTENSIONS_MAX_BYTES) limit('extension headers');
    this.#extension = { content: Buffer.alloc(size), filled: 0, type };
  }

  #skip(chunk: Uint8Array, at: number): number {
    const piece = chunk.subarray(at, at + this.#remaining);
    this.#remaining -= piece.length;
    const extension = this.#extension;
    if (extension !== null) {
      const wanted = piece.subarray(0, extension.content.length - extension.filled);
      extension.content.set(wanted, extension.filled);
      extension.filled += wanted.length;
    }
    if (this.#remaining === 0) {
      this.#section = 'header';
      if (extension !== null) checkExtension(extension.type, extension.content);
      this.#extension = null;
    }
    return piece.length;
  }

  #size(): number {
    const digits = OCTAL.exec(this.#block.toString('latin1', 124, 136))?.[1];
    return digits === undefined ? malformed('a size that is not octal') : Number.parseInt(digits, 8);
  }
}

function checkExtension(type: string, content: Buffer): void {
  if (type === 'L') decodeName(until(content));
  else checkPaxHeader(content, type === 'g');
}

/** The bytes before the first NUL. */
function until(field: Buffer): Buffer {
  const end = field.indexOf(0);
  return end < 0 ? field : field.subarray(0, end);
}

function limit(what: string): never {
  throw new IntakeError('ARCHIVE_LIMIT', `too much: ${what}`);
}

function malformed(what: string): never {
  throw new IntakeError('ARCHIVE_MALFORMED', what);
}
