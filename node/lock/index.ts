import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LockError } from './errors.ts';
import { type HeldLock, tryLock } from './sqlite-lock.ts';

export { LOCK_ERRORS, LockError, type LockErrorCode } from './errors.ts';
export { type HeldLock, tryLock } from './sqlite-lock.ts';

/** Name of the lock file in a data directory. */
export const DATA_DIR_LOCK = 'lock.sqlite';

/** Milliseconds between two looks at a lock somebody else has: at least, and at most that much more at random. */
const POLL_MIN_MS = 20;
const POLL_JITTER_MS = 60;

/**
 * Locks a data directory for the life of the process.
 * @throws LockError DATA_DIR_LOCKED if another process has it, LOCK_UNUSABLE
 */
export function lockDataDirectory(dataDir: string): HeldLock {
  const lock = tryLock(join(dataDir, DATA_DIR_LOCK));
  if (lock === null) throw new LockError('DATA_DIR_LOCKED', undefined, { field: dataDir });
  return lock;
}

export interface TimingLockDependencies {
  /** A number in [0, 1), for the polling jitter. */
  readonly random: () => number;
}

/** Runs timed sections one at a time on the whole host. */
export interface TimingLock {
  /**
   * Waits for the lock, runs `section`, releases it. Waiting is polling with jitter, so that no waiter can fall into
   * step with another.
   * @throws LockError LOCK_ABORTED if the signal fires before `section` starts; whatever `section` throws
   */
  withTimingLock<T>(section: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** The timing lock at `path`, which every node of the host names. (`design.md`, Lanes and arenas.) */
export function timingLock(path: string, dependencies: TimingLockDependencies): TimingLock {
  return {
    async withTimingLock(section, signal) {
      const lock = await waitForLock(path, dependencies.random, signal);
      try {
        return await section();
      } finally {
        lock.release();
      }
    },
  };
}

async function waitForLock(path: string, random: () => number, signal: AbortSignal): Promise<HeldLock> {
  for (;;) {
    if (signal.aborted) throw new LockError('LOCK_ABORTED', undefined, { field: path });
    const lock = tryLock(path);
    if (lock !== null) return lock;
    await delay(POLL_MIN_MS + random() * POLL_JITTER_MS, undefined, { signal }).catch((cause) => {
      throw new LockError('LOCK_ABORTED', undefined, { field: path, cause });
    });
  }
}
