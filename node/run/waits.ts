/** Pauses that an abort ends. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** What a promise comes to, unless the signal fires before; the promise itself goes on. */
export async function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A value that grows, and waits for it to reach a level. */
export class Watermark {
  #level: number;
  #waiters: { readonly level: number; readonly resolve: () => void }[] = [];

  constructor(level: number) {
    this.#level = level;
  }

  get level(): number {
    return this.#level;
  }

  raise(level: number): void {
    this.#level = Math.max(this.#level, level);
    const due = this.#waiters.filter((waiter) => waiter.level <= this.#level);
    this.#waiters = this.#waiters.filter((waiter) => waiter.level > this.#level);
    for (const waiter of due) waiter.resolve();
  }

  /** Resolves when the level is reached; rejects with the signal's reason. */
  reached(level: number, signal: AbortSignal): Promise<void> {
    if (level <= this.#level) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        reject(signal.reason);
      };
      const waiter = {
        level,
        resolve: () => {
          signal.removeEventListener('abort', stop);
          resolve();
        },
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      this.#waiters.push(waiter);
    });
  }
}

/** Something changed: everybody who waits is woken once. */
export class Change {
  #next = Promise.withResolvers<void>();

  next(): Promise<void> {
    return this.#next.promise;
  }

  signal(): void {
    const { resolve } = this.#next;
    this.#next = Promise.withResolvers<void>();
    resolve();
  }
}
