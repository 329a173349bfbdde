import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StoreError, storeError } from './errors.ts';

/** A folder of read-only files, each written whole or not at all. Callers choose names; contents never change. */
export interface SealedFolder {
  /** Writes a file that survives power loss once this resolves; one that is there already stays as it is. */
  write(relative: string, chunks: readonly Uint8Array[]): Promise<void>;
  /** Bytes from `offset`, at most `length`. @throws StoreError BLOB_MISSING */
  read(relative: string, offset: number, length: number): Promise<Uint8Array>;
  /** Size in bytes, or null if there is no such file. */
  size(relative: string): Promise<number | null>;
  remove(relative: string): Promise<void>;
}

/**
 * Opens a sealed folder and removes what an interrupted write left behind.
 * @param reservedFreeBytes free space that writing must leave
 */
export async function openSealedFolder(root: string, reservedFreeBytes: number): Promise<SealedFolder> {
  const temporary = join(root, 'tmp');
  await typed(root, async () => {
    await mkdir(temporary, { recursive: true, mode: 0o700 });
    for (const name of await readdir(temporary)) await rm(join(temporary, name), { force: true });
  });
  const sizeOf = (relative: string): Promise<number | null> =>
    typed(relative, async () => {
      const found = await stat(join(root, relative)).catch(absent);
      return found === null ? null : found.size;
    });
  return {
    size: sizeOf,
    async write(relative, chunks) {
      if ((await sizeOf(relative)) !== null) return;
      const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
      await typed(relative, async () => {
        const { bavail, bsize } = await statfs(root);
        if (bavail * bsize < bytes + reservedFreeBytes) throw new StoreError('DISK_FULL', undefined, { field: root });
        await writeDurably(join(temporary, randomBytes(16).toString('hex')), join(root, relative), chunks);
      });
    },
    read: (relative, offset, length) =>
      typed(relative, async () => {
        const file = await open(join(root, relative), constants.O_RDONLY | constants.O_NOFOLLOW);
        try {
          return await readRange(file, offset, length);
        } finally {
          await file.close();
        }
      }),
    remove: (relative) => typed(relative, () => rm(join(root, relative), { force: true })),
  };
}

/** Temporary file, fsync, rename, fsync of the directory: after a crash the name is absent or complete. */
async function writeDurably(temporary: string, path: string, chunks: readonly Uint8Array[]): Promise<void> {
  try {
    const file = await open(temporary, 'wx', 0o400);
    try {
      for (const chunk of chunks) await file.writeFile(chunk);
      await file.chmod(0o444);
      await file.sync();
    } finally {
      await file.close();
    }
    const created = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(temporary, path);
    await syncDirectory(dirname(path));
    if (created !== undefined) await syncDirectory(dirname(created));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function readRange(file: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const available = Math.max(0, (await file.stat()).size - offset);
  const bytes = Buffer.alloc(Math.min(length, available));
  let at = 0;
  while (at < bytes.length) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, offset + at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return bytes.subarray(0, at);
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

async function typed<T>(field: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw storeError(error, field);
  }
}
