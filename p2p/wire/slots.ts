import { raceSignal } from './deadline.ts';

/** At most so many pieces of work at once; the others wait in order. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Runs `work` when a slot is free. @throws the signal's reason while waiting; what `work` throws */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#turn(signal);
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    try {
      await raceSignal(promise, signal);
    } catch (error) {
      const at = this.#waiting.indexOf(resolve);
      // The slot was handed over in the same moment: pass it on.
      if (at < 0) this.#release();
      else this.#waiting.splice(at, 1);
      throw error;
    }
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
