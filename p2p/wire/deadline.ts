import { PeerError } from '../errors.ts';

/** A signal that aborts with PeerError DEADLINE after `ms`, or with the reason of any of the given signals. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Frees the timer; call it when the work is done. */
  clear(): void;
}

/**
 * Bounds a wait. Plain listeners instead of AbortSignal.any, so that nothing of it stays with a long-lived signal.
 */
export function deadline(ms: number, ...parents: readonly (AbortSignal | undefined)[]): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new PeerError('DEADLINE')), ms);
  const undo: (() => void)[] = [];
  const clear = (): void => {
    clearTimeout(timer);
    for (const remove of undo.splice(0)) remove();
  };
  for (const parent of parents) {
    if (parent === undefined) continue;
    const onAbort = (): void => {
      controller.abort(parent.reason);
      clear();
    };
    if (parent.aborted) onAbort();
    else {
      parent.addEventListener('abort', onAbort, { once: true });
      undo.push(() => parent.removeEventListener('abort', onAbort));
    }
  }
  return { signal: controller.signal, clear };
}

/** Runs `work` under a deadline. */
export async function within<T>(
  ms: number,
  parent: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const bound = deadline(ms, parent);
  try {
    return await work(bound.signal);
  } finally {
    bound.clear();
  }
}

/** Settles as `promise` does, or rejects with the signal's reason. */
export async function raceSignal<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
