/**
 * Delays of attempts after failures: doubled from `minMs` up to `maxMs`, the upper half of each of them random, so
 * that many nodes do not come back to a restarted endpoint in step.
 */
export class Backoff {
  readonly #minMs: number;
  readonly #maxMs: number;
  readonly #random: () => number;
  #failures = 0;

  constructor(limits: { readonly minMs: number; readonly maxMs: number }, random: () => number) {
    this.#minMs = limits.minMs;
    this.#maxMs = limits.maxMs;
    this.#random = random;
  }

  reset(): void {
    this.#failures = 0;
  }

  /** Milliseconds to wait before the next attempt. */
  next(): number {
    const full = Math.min(this.#maxMs, this.#minMs * 2 ** Math.min(this.#failures, 30));
    this.#failures += 1;
    return full / 2 + (full / 2) * this.#random();
  }
}
