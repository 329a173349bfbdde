import type { Chain } from './chain.ts';

/** What a block's timestamp advances by where blocks are made by hand. */
export const MANUAL_STEP_MS = 1000;

export interface ProducerDependencies {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Called after each block has been announced. */
  readonly onProduced: () => void;
  /** Called if making a block fails: nothing more is produced after that. */
  readonly onFailure: (error: unknown) => void;
}

/** Makes blocks on a timer, or only on demand if the block time is 0. */
export class Producer {
  readonly #blockTimeMs: number;
  readonly #dependencies: ProducerDependencies;
  #chain: Chain;
  #timer: NodeJS.Timeout | null = null;

  constructor(chain: Chain, blockTimeMs: number, dependencies: ProducerDependencies) {
    this.#chain = chain;
    this.#blockTimeMs = blockTimeMs;
    this.#dependencies = dependencies;
  }

  start(): void {
    if (this.#blockTimeMs === 0 || this.#timer !== null) return;
    this.#timer = setInterval(() => {
      try {
        this.produce();
      } catch (error) {
        this.stop();
        this.#dependencies.onFailure(error);
      }
    }, this.#blockTimeMs);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** From now on blocks are made for this chain; the other one rests. */
  serve(chain: Chain): void {
    this.#chain = chain;
  }

  /** One block now. By hand, its timestamp is one step after the parent's; else it is the clock's. */
  produce(): ReturnType<Chain['produce']> {
    const manual = this.#blockTimeMs === 0;
    const block = this.#chain.produce(manual ? this.#chain.timestamp() + MANUAL_STEP_MS : this.#dependencies.now());
    this.#dependencies.onProduced();
    return block;
  }
}
