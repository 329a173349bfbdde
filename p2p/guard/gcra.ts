import { TRACKED_HOTKEYS } from '../limits.ts';

/**
 * Rate limiter (generic cell rate algorithm): one number per key, the time at which its allowance would be whole
 * again. `burst` units may come at once, `perMinute` units per minute go on for ever.
 */
export class RateLimiter {
  readonly #msPerUnit: number;
  readonly #burstMs: number;
  readonly #now: () => number;
  readonly #arrival = new Map<string, number>();

  constructor(options: { readonly perMinute: number; readonly burst: number }, now: () => number) {
    this.#msPerUnit = 60_000 / options.perMinute;
    this.#burstMs = options.burst * this.#msPerUnit;
    this.#now = now;
  }

  /** Takes `units` from the key's allowance if it has them; takes nothing otherwise. */
  take(key: string, units = 1): boolean {
    const now = this.#now();
    const next = Math.max(this.#arrival.get(key) ?? now, now) + units * this.#msPerUnit;
    if (next - now > this.#burstMs) return false;
    this.#arrival.delete(key);
    this.#arrival.set(key, next);
    if (this.#arrival.size > TRACKED_HOTKEYS) this.#prune(now);
    return true;
  }

  /** Keys with a whole allowance need no row; if all are in use the longest untouched one goes. */
  #prune(now: number): void {
    for (const [key, arrival] of this.#arrival) if (arrival <= now) this.#arrival.delete(key);
    if (this.#arrival.size > TRACKED_HOTKEYS) this.#arrival.delete(this.#arrival.keys().next().value as string);
  }
}
