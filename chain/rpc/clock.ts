import { setTimeout as sleep } from 'node:timers/promises';

/** Monotonic milliseconds and waiting; never used for protocol decisions, which count blocks. */
export interface Clock {
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason if it fires first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: async (ms, signal) => {
    try {
      await sleep(ms, undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  },
};

/** Settles as `promise` does, or rejects with the signal's reason if it fires first. */
export async function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => {});
    throw signal.reason;
  }
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    promise.catch(() => {});
  }
}

export interface DeadlineOptions {
  readonly ms: number;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  /** What a missed deadline is reported as. */
  readonly late: () => Error;
}

/** Runs `work` with a signal that fires at the deadline or with the caller's; rejects then even if `work` hangs. */
export async function withDeadline<T>(
  { ms, clock, signal, late }: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const timer = new AbortController();
  const done = new AbortController();
  clock.sleep(ms, done.signal).then(
    () => timer.abort(late()),
    () => {},
  );
  const both = signal === undefined ? timer.signal : AbortSignal.any([signal, timer.signal]);
  try {
    return await orAbort(work(both), both);
  } finally {
    done.abort();
  }
}
