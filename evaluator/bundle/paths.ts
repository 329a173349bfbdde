import { isSkippedPath, type TreeFile } from '../identity/index.ts';
import { BundleError } from './errors.ts';
import {
  MAX_BUNDLE_BYTES,
  MAX_DIRECTORIES,
  MAX_FILE_BYTES,
  MAX_FILES,
  MAX_INSPECTABLE_BYTES,
  MAX_INSPECTABLE_FILE_BYTES,
  MAX_PATH_BYTES,
  MAX_PATH_COMPONENTS,
} from './limits.ts';

const COMPONENT = /^[A-Za-z0-9][A-Za-z0-9._+@=,\-[\] ]{0,254}$/;
const DUNDER = /^_{1,2}[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_+-]+)*\.(?:py|so)$/;
const INSPECTABLE = /\.(?:py|cu|cuh|patch|diff|toml|json)$/;

/** Checks the file list of a bundle: names that can be published, counts and sizes (`bundle-format.md` section 2). */
export function checkFileList(files: readonly TreeFile[]): void {
  if (files.length > MAX_FILES) throw new BundleError('BUNDLE_TOO_LARGE', `more than ${MAX_FILES} files`);
  const directories = new Set<string>();
  let total = 0;
  let inspectable = 0;
  for (const file of files) {
    checkPublishablePath(file.path);
    for (const parent of parents(file.path)) directories.add(parent);
    total += file.data.length;
    if (file.data.length > MAX_FILE_BYTES) throw tooLarge(file.path, MAX_FILE_BYTES);
    if (!INSPECTABLE.test(file.path)) continue;
    inspectable += file.data.length;
    if (file.data.length > MAX_INSPECTABLE_FILE_BYTES) throw tooLarge(file.path, MAX_INSPECTABLE_FILE_BYTES);
  }
  if (total > MAX_BUNDLE_BYTES) throw new BundleError('BUNDLE_TOO_LARGE', `more than ${MAX_BUNDLE_BYTES} bytes`);
  if (inspectable > MAX_INSPECTABLE_BYTES) {
    throw new BundleError('BUNDLE_TOO_LARGE', `more than ${MAX_INSPECTABLE_BYTES} bytes of text files`);
  }
  if (directories.size > MAX_DIRECTORIES) {
    throw new BundleError('BUNDLE_TOO_LARGE', `more than ${MAX_DIRECTORIES} directories`);
  }
  for (const file of files) {
    if (directories.has(file.path)) {
      throw new BundleError('BUNDLE_PATH', 'a file that is also a directory', { field: file.path });
    }
  }
}

/** Every directory above a path, nearest last. */
export function parents(path: string): string[] {
  const components = path.split('/').slice(0, -1);
  return components.map((_, i) => components.slice(0, i + 1).join('/'));
}

function checkPublishablePath(path: string): void {
  const components = path.split('/');
  const last = components.at(-1) as string;
  const named = components.every((c, i) => COMPONENT.test(c) || (i === components.length - 1 && DUNDER.test(last)));
  if (!named || components.length > MAX_PATH_COMPONENTS || Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw new BundleError('BUNDLE_PATH', undefined, { field: printable(path) });
  }
}

/**
 * Reads a field that names a file: POSIX, relative, canonical, nothing the hash skips (`bundle-format.md` section 2).
 * @returns the path, unchanged
 */
export function logicalPath(value: string, field: string): string {
  const components = value.split('/');
  const odd = components.some((c) => c === '' || c === '.' || c === '..');
  if (odd || /[\\\0]/.test(value) || isSkippedPath(value)) {
    throw new BundleError('OPS_ROW', 'not a canonical relative path', { field });
  }
  return value;
}

function tooLarge(path: string, limit: number): BundleError {
  return new BundleError('BUNDLE_TOO_LARGE', `more than ${limit} bytes`, { field: path });
}

/** A hostile name made safe to print. */
export function printable(text: string): string {
  return text.slice(0, 120).replace(/[^\x20-\x7e]/g, '?');
}
