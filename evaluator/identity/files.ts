import { createHash } from 'node:crypto';
import { canonicalDigest, sha256Hex } from './digest.ts';
import { IdentityError } from './errors.ts';
import { comparePathComponents } from './order.ts';

/** A regular file of a bundle or tree: POSIX path relative to the root, and its bytes. */
export interface TreeFile {
  readonly path: string;
  readonly data: Uint8Array;
}

/** The mode every emitted or hashed file is given: 0o444. */
export const FILE_MODE = 0o444;

const RECEIPT = '.cacheon-native-artifact.json';

/**
 * True if the content hash leaves this path out (`protocol.md` section 9): a `.git` or `__pycache__` component,
 * a .pyc or .pyo suffix (a file named exactly `.pyc` has none), or a component that begins with `._`.
 */
export function isSkippedPath(path: string): boolean {
  const components = path.split('/');
  if (components.some((c) => c === '.git' || c === '__pycache__')) return true;
  const name = components.at(-1) as string;
  return name.startsWith('._') || /[^/]\.py[co]$/.test(name);
}

/** The files that identity covers, component-wise sorted. Refuses an empty list, a repeated path and bad names. */
export function hashedFiles(files: readonly TreeFile[]): TreeFile[] {
  const kept = files.filter((file) => !isSkippedPath(file.path));
  if (kept.length === 0) throw new IdentityError('TREE_EMPTY');
  kept.sort((a, b) => comparePathComponents(a.path, b.path));
  kept.forEach((file, i) => {
    if (/\p{Surrogate}/u.test(file.path)) throw new IdentityError('TREE_PATH', 'a path that UTF-8 cannot encode');
    if (i > 0 && kept[i - 1]?.path === file.path) {
      throw new IdentityError('TREE_PATH', 'the same path twice', { field: file.path });
    }
  });
  return kept;
}

/**
 * Content hash of a bundle (`protocol.md` section 9): path length u32be, path, data length u64be, data, over the
 * hashed files in component order. Modes are not part of it.
 * @returns 64 hex digits
 */
export function contentHash(files: readonly TreeFile[]): string {
  const hash = createHash('sha256');
  for (const file of hashedFiles(files)) {
    const path = Buffer.from(file.path, 'utf8');
    const head = Buffer.alloc(4);
    head.writeUInt32BE(path.length);
    const size = Buffer.alloc(8);
    size.writeBigUInt64BE(BigInt(file.data.length));
    hash.update(head).update(path).update(size).update(file.data);
  }
  return hash.digest('hex');
}

/** The committed variant: as {@link contentHash}, without the native artifact receipt at the root. */
export function committedContentHash(files: readonly TreeFile[]): string {
  return contentHash(files.filter((file) => file.path !== RECEIPT));
}

/** Digest of an integrated source tree (`protocol.md` section 11). */
export function integratedSourceTreeDigest(files: readonly TreeFile[]): string {
  const rows = hashedFiles(files).map((file) => ({ mode: FILE_MODE, path: file.path, sha256: sha256Hex(file.data) }));
  return canonicalDigest('cacheon.integrated-source-tree', { files: rows });
}
