import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { LockError } from './errors.ts';

/** Shared by the accounts of one group: nodes of a host may run as different users. */
const LOCK_FILE_MODE = 0o660;
const SQLITE_BUSY = 5;

/** A lock that is held until it is released or its process ends, however it ends. Keep a reference to it. */
export interface HeldLock {
  release(): void;
}

/**
 * Takes an exclusive lock on a SQLite file, or returns null if somebody has it. Node has no flock; SQLite takes kernel
 * locks, which the kernel frees on kill -9. (`names.md`, Processes.)
 * @throws LockError LOCK_UNUSABLE
 */
export function tryLock(path: string): HeldLock | null {
  const db = openLockFile(path);
  try {
    // A rollback journal, never WAL: there, readers would not be locked out and the file would have companions.
    db.exec('PRAGMA locking_mode = NORMAL; BEGIN EXCLUSIVE');
  } catch (cause) {
    db.close();
    if (((cause as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY) return null;
    throw new LockError('LOCK_UNUSABLE', undefined, { field: path, cause });
  }
  return {
    release() {
      if (db.isOpen) db.close();
    },
  };
}

function openLockFile(path: string): DatabaseSync {
  try {
    // Only ever created, never opened again by us: closing another descriptor of a file drops this process's locks on it.
    closeSync(openSync(path, 'wx', LOCK_FILE_MODE));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new LockError('LOCK_UNUSABLE', undefined, { field: path, cause });
    }
  }
  try {
    return new DatabaseSync(path, { timeout: 0 });
  } catch (cause) {
    throw new LockError('LOCK_UNUSABLE', undefined, { field: path, cause });
  }
}
