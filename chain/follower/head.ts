import { ChainError } from '../errors.ts';
import { type Chain, type Clock, type FinalizedHead, orAbort } from '../rpc/index.ts';

export interface HeadOptions {
  readonly pollMs: number;
  readonly stallMs: number;
}

export interface HeadDependencies {
  readonly clock: Clock;
  /** Called for every `stallMs` without a new finalized block, connecting included. */
  readonly onStall: (quietMs: number) => void;
  readonly onRecovered: () => void;
}

/**
 * Keeps the newest finalized head while somebody else works through the blocks below it: one head, however far behind
 * they are. The endpoint's announcements only wake it; what counts is what `chain_getFinalizedHead` says.
 */
export class HeadTracker {
  readonly #chain: Chain;
  readonly #options: HeadOptions;
  readonly #dependencies: HeadDependencies;
  #head: FinalizedHead | null = null;
  #changed = Promise.withResolvers<void>();
  #failure: unknown = null;
  #lastArrival: number;
  #stalled = false;

  constructor(chain: Chain, options: HeadOptions, dependencies: HeadDependencies) {
    this.#chain = chain;
    this.#options = options;
    this.#dependencies = dependencies;
    this.#lastArrival = dependencies.clock.now();
  }

  get head(): FinalizedHead | null {
    return this.#head;
  }

  get stalled(): boolean {
    return this.#stalled;
  }

  /** Milliseconds since the last new finalized block. */
  get quietMs(): number {
    return this.#dependencies.clock.now() - this.#lastArrival;
  }

  /** Tracks until the signal fires; never rejects, what is fatal is thrown by `above`. */
  async run(signal: AbortSignal): Promise<void> {
    let wake = Promise.withResolvers<void>();
    const stopHints = this.#chain.rpc.onFinalized(() => wake.resolve());
    const watching = this.#watch(signal);
    try {
      while (!signal.aborted) {
        wake = Promise.withResolvers<void>();
        await this.#look(signal);
        const waiting = new AbortController();
        const poll = this.#dependencies.clock.sleep(this.#options.pollMs, AbortSignal.any([signal, waiting.signal]));
        await Promise.race([wake.promise, poll]).catch(() => {});
        waiting.abort();
        poll.catch(() => {});
      }
    } catch (error) {
      this.#failure = error;
      this.#changed.resolve();
    } finally {
      stopHints();
    }
    await watching;
  }

  /** The newest finalized head once it is above `height`. FINALITY_CONFLICT, and the client's operator errors. */
  async above(height: number, signal: AbortSignal): Promise<FinalizedHead> {
    for (;;) {
      if (this.#failure !== null) throw this.#failure;
      if (this.#head !== null && this.#head.height > height) return this.#head;
      await orAbort(this.#changed.promise, signal);
    }
  }

  async #look(signal: AbortSignal): Promise<void> {
    try {
      this.#arrive(await this.#chain.finalizedHead(signal));
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ChainError) || error.fault !== 'infrastructure') throw error;
      if (error.code === 'HEADER_MISMATCH') this.#chain.rpc.rotate();
    }
  }

  #arrive(head: FinalizedHead): void {
    const known = this.#head;
    if (known !== null && head.height === known.height && head.hash !== known.hash) {
      throw new ChainError('FINALITY_CONFLICT', `height ${head.height} was ${known.hash}, is ${head.hash}`);
    }
    // An endpoint that is behind the one before it says nothing new.
    if (known !== null && head.height <= known.height) return;
    this.#head = head;
    this.#lastArrival = this.#dependencies.clock.now();
    if (this.#stalled) {
      this.#stalled = false;
      this.#dependencies.onRecovered();
    }
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }

  /** By arrival of blocks and nothing else: an open socket, a ping or a reconnect is not progress. */
  async #watch(signal: AbortSignal): Promise<void> {
    const { clock, onStall } = this.#dependencies;
    let wait = this.#options.stallMs;
    while (!signal.aborted) {
      await clock.sleep(wait, signal).catch(() => {});
      if (signal.aborted) return;
      const quiet = this.quietMs;
      if (quiet >= this.#options.stallMs) {
        this.#stalled = true;
        onStall(quiet);
        this.#chain.rpc.rotate();
        wait = this.#options.stallMs;
      } else {
        wait = this.#options.stallMs - quiet;
      }
    }
  }
}
