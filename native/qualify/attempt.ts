import { CacheonError } from '../../config/errors.ts';
import type { Verdict } from '../../evaluator/statement/index.ts';
import type { MonotonicClock } from './types.ts';

/** Whose work is waited for: only the candidate's can make a result FAIL. */
export type Actor = 'candidate' | 'host';

/** Thrown where a run ends with a verdict other than PASS; never leaves `qualify`. */
export class Ended extends Error {
  readonly verdict: Verdict;

  constructor(verdict: Verdict, detail: string) {
    super(detail);
    this.verdict = verdict;
  }
}

const NS_PER_MS = 1_000_000n;

/**
 * The time of one attempt, counted from the moment the timing lock is held (`peer-protocol.md` section 9), and the
 * rule that turns what goes wrong into a verdict: by whose work it was, never by what the error says alone.
 */
export class Attempt {
  readonly #clock: MonotonicClock;
  readonly #started: bigint;
  readonly #outer: AbortSignal;
  readonly #deadline = new AbortController();
  readonly #signal: AbortSignal;
  readonly #limitMs: number;
  readonly #cancel: () => void;

  constructor(seconds: number, clock: MonotonicClock, outer: AbortSignal) {
    this.#clock = clock;
    this.#outer = outer;
    this.#started = clock.now();
    this.#limitMs = seconds * 1000;
    this.#signal = AbortSignal.any([outer, this.#deadline.signal]);
    // Lanes tell a deadline from an abort by the reason's name, as of AbortSignal.timeout.
    const expire = () => this.#deadline.abort(new DOMException('attempt_seconds are over', 'TimeoutError'));
    this.#cancel = clock.after(this.#limitMs, expire);
  }

  /** Milliseconds the lock has been held; at least the limit once the deadline has passed. */
  elapsedMs(): number {
    const elapsed = Number((this.#clock.now() - this.#started) / NS_PER_MS);
    return this.#deadline.signal.aborted ? Math.max(elapsed, this.#limitMs) : elapsed;
  }

  /** True if a PASS would come too late. */
  isLate(): boolean {
    return this.elapsedMs() > this.#limitMs;
  }

  /**
   * Waits for somebody's work under the deadline.
   * @throws Ended with the verdict, or the outer signal's reason if the caller gave up
   */
  async wait<T>(actor: Actor, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      this.#signal.throwIfAborted();
      return await work(this.#signal);
    } catch (error) {
      if (error instanceof Ended) throw error;
      if (this.#outer.aborted) throw this.#outer.reason;
      throw this.#ended(actor, error);
    }
  }

  stop(): void {
    this.#cancel();
  }

  #ended(actor: Actor, error: unknown): Ended {
    const detail = error instanceof Error ? error.message : 'unknown error';
    if (actor === 'candidate') {
      if (this.#deadline.signal.aborted) return fail('deadline', `attempt_seconds were over: ${detail}`);
      if (error instanceof CacheonError && error.fault === 'candidate') return fail('crashed', detail);
    }
    return undecided('infrastructure', detail);
  }
}

export function fail(reason: Extract<Verdict, { result: 'FAIL' }>['reason'], detail: string): Ended {
  return new Ended({ result: 'FAIL', reason, speedup: null }, detail);
}

export function undecided(reason: Extract<Verdict, { result: 'NO_DECISION' }>['reason'], detail: string): Ended {
  return new Ended({ result: 'NO_DECISION', reason, speedup: null }, detail);
}
