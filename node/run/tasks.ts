/** First rest after a failure, and the longest one, milliseconds. */
const REST_MIN_MS = 500;
const REST_MAX_MS = 15_000;
/** Keys remembered after failures; the oldest is forgotten first and may then be tried at once. */
const RESTING_MAX = 256;

export interface TasksDependencies {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Told about every failure; the task is tried again when it is asked for after its rest. */
  readonly onFailure: (key: string, error: unknown) => void;
  /** Called after every end, good or bad: what is due may have changed. */
  readonly onEnd: () => void;
}

/** Why a task ended that its caller cancelled: neither success nor failure. */
class Cancelled extends Error {}

interface Running {
  readonly done: Promise<void>;
  readonly stop: AbortController;
}

interface Rest {
  readonly failures: number;
  readonly until: number;
}

/**
 * Background work by key. Duties are derived again and again from the same state; a duty that is already being done,
 * or that failed a moment ago, is not started twice. Nothing here outlives the process, and nothing has to.
 */
export class Tasks {
  readonly #signal: AbortSignal;
  readonly #dependencies: TasksDependencies;
  readonly #running = new Map<string, Running>();
  readonly #resting = new Map<string, Rest>();

  constructor(signal: AbortSignal, dependencies: TasksDependencies) {
    this.#signal = signal;
    this.#dependencies = dependencies;
  }

  /** Starts the work unless it runs, rests after a failure, or everything stops. Returns whether it started. */
  start(key: string, work: (signal: AbortSignal) => Promise<void>): boolean {
    const rest = this.#resting.get(key);
    const mustRest = rest !== undefined && rest.until > this.#dependencies.now();
    if (this.#signal.aborted || this.#running.has(key) || mustRest) return false;
    const stop = new AbortController();
    const done = this.#run(key, work, AbortSignal.any([this.#signal, stop.signal]));
    this.#running.set(key, { done, stop });
    return true;
  }

  /** Aborts the work of a key that nobody needs any more; it may be started again once it has ended. */
  cancel(key: string): void {
    this.#running.get(key)?.stop.abort(new Cancelled(`${key} is not needed any more`));
  }

  /** Keys of what runs now. */
  running(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** Resolves when nothing runs any more. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  async #run(key: string, work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    // Later than the caller's bookkeeping, even if the work ends at once.
    await null;
    try {
      await work(signal);
      this.#resting.delete(key);
    } catch (error) {
      if (!signal.aborted) this.#failed(key, error);
    } finally {
      this.#running.delete(key);
      if (!this.#signal.aborted) this.#dependencies.onEnd();
    }
  }

  #failed(key: string, error: unknown): void {
    const failures = (this.#resting.get(key)?.failures ?? 0) + 1;
    const rest = Math.min(REST_MIN_MS * 2 ** (failures - 1), REST_MAX_MS);
    this.#resting.delete(key);
    this.#resting.set(key, { failures, until: this.#dependencies.now() + rest });
    for (const oldest of this.#resting.keys()) {
      if (this.#resting.size <= RESTING_MAX) break;
      this.#resting.delete(oldest);
    }
    this.#dependencies.onFailure(key, error);
  }
}
