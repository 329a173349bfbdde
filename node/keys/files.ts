import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { KeyError } from './errors.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Permission bits of group and others. */
const FOREIGN_BITS = 0o077;
/** Bytes of one key file. */
const KEY_FILE_MAX_BYTES = 16 * 1024;

/** Makes the key folder, or checks that nobody else can look into it. @throws KeyError KEY_MODE, KEY_UNREADABLE */
export function ensureKeyFolder(path: string): void {
  const stat = attempt(path, () => {
    mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
    return lstatSync(path);
  });
  if (!stat.isDirectory()) throw new KeyError('KEY_UNREADABLE', 'not a directory', { field: path });
  refuseForeignBits(path, stat.mode);
}

/** The bytes of a key file, judged and read through one descriptor. @throws KeyError KEY_MODE, KEY_UNREADABLE */
export function readKeyFile(path: string): Buffer {
  const descriptor = attempt(path, () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw new KeyError('KEY_UNREADABLE', 'not a regular file', { field: path });
    refuseForeignBits(path, stat.mode);
    if (stat.size > KEY_FILE_MAX_BYTES) throw new KeyError('KEY_MALFORMED', 'too large', { field: path });
    return attempt(path, () => readFileSync(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

/** Writes a new key file durably. @throws KeyError KEY_EXISTS rather than overwriting one */
export function writeKeyFile(path: string, text: string): void {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'wx', FILE_MODE);
  } catch (cause) {
    const exists = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    throw new KeyError(exists ? 'KEY_EXISTS' : 'KEY_UNREADABLE', undefined, { field: path, cause });
  }
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function refuseForeignBits(path: string, mode: number): void {
  if ((mode & FOREIGN_BITS) === 0) return;
  throw new KeyError('KEY_MODE', `mode is 0${(mode & 0o777).toString(8)}`, { field: path });
}

function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unreadable';
    throw new KeyError('KEY_UNREADABLE', code, { field: path, cause });
  }
}
