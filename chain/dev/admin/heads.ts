import type { HeadGate } from '../rpc/index.ts';

/** Withholds head announcements: the blocks are made and can be read, the subscriptions do not mention them. */
export class HeadSkipper implements HeadGate {
  #left = 0;

  skip(count: number): void {
    this.#left = count;
  }

  passes(): boolean {
    return this.#left === 0;
  }

  /** After each block: one withheld head fewer. */
  blockDone(): void {
    this.#left = Math.max(0, this.#left - 1);
  }
}
