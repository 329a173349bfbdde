import type { Clock } from '../../chain/rpc/index.ts';

/** A clock that stands still until it is told to go on. */
export class ManualClock implements Clock {
  #now = 0;
  readonly #sleepers = new Set<{ at: number; wake: () => void }>();

  now(): number {
    return this.#now;
  }

  /** How many are waiting. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sleeper = { at: this.#now + ms, wake: resolve };
    this.#sleepers.add(sleeper);
    signal.addEventListener('abort', () => {
      this.#sleepers.delete(sleeper);
      reject(signal.reason);
    });
    return promise;
  }

  /** Moves the time and wakes whom it passes, in order. */
  advance(ms: number): void {
    this.#now += ms;
    const due = [...this.#sleepers].filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at);
    for (const sleeper of due) {
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
  }
}
