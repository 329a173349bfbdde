import { createHash } from 'node:crypto';

/**
 * Deterministic integers from SHA-256 in counter mode over (seed, label): no platform generator is involved, so every
 * host draws the same. A stream is used up in order; labels keep the streams of one seed apart.
 */
export class SeedStream {
  readonly #seed: Buffer;
  readonly #label: string;
  #block: Buffer = Buffer.alloc(0);
  #at = 0;
  #counter = 0;

  /** @param seed hex digits */
  constructor(seed: string, label: string) {
    this.#seed = Buffer.from(seed, 'hex');
    this.#label = label;
  }

  /** The next unsigned 32-bit integer. */
  next32(): number {
    if (this.#at === this.#block.length) this.#refill();
    const value = this.#block.readUInt32BE(this.#at);
    this.#at += 4;
    return value;
  }

  /** An integer in [0, bound) without bias; bound is 1 to 2^32. */
  below(bound: number): number {
    const limit = 2 ** 32 - (2 ** 32 % bound);
    let value = this.next32();
    while (value >= limit) value = this.next32();
    return value % bound;
  }

  /** A copy in random order (Fisher and Yates). */
  shuffled<T>(items: readonly T[]): T[] {
    const out = [...items];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [out[i], out[j]] = [out[j] as T, out[i] as T];
    }
    return out;
  }

  #refill(): void {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter++);
    this.#block = createHash('sha256').update(this.#seed).update(`\0${this.#label}\0`).update(counter).digest();
    this.#at = 0;
  }
}
