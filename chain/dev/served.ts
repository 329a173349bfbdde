import { type Chain, type ChainIndex, type ChainListener, openChain } from './chain/index.ts';
import type { DevChainConfig } from './config.ts';
import type { ServedChain } from './rpc/index.ts';
import type { Runtime } from './runtime/index.ts';

/** Which of two chains the socket shows. The second one is made when it is first switched to. */
export class Served implements ServedChain {
  readonly #open: (index: ChainIndex) => Chain;
  readonly #chains = new Map<ChainIndex, Chain>();
  readonly #listeners = new Set<ChainListener>();
  #index: ChainIndex = 0;

  constructor(config: DevChainConfig, runtime: Runtime, now: () => number) {
    this.#open = (index) => openChain(config, runtime, index, now());
    this.#chains.set(0, this.#attach(0));
  }

  chain(): Chain {
    return this.#chains.get(this.#index)!;
  }

  listen(listener: ChainListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Shows the other chain behind the same sockets and subscriptions. */
  switchGenesis(): Chain {
    const index: ChainIndex = this.#index === 0 ? 1 : 0;
    if (!this.#chains.has(index)) this.#chains.set(index, this.#attach(index));
    this.#index = index;
    return this.chain();
  }

  close(): void {
    for (const chain of this.#chains.values()) chain.close();
  }

  #attach(index: ChainIndex): Chain {
    const chain = this.#open(index);
    chain.listen({
      onBest: (block) => {
        for (const { onBest } of this.#listeners) onBest(block);
      },
      onFinalized: (block) => {
        for (const { onFinalized } of this.#listeners) onFinalized(block);
      },
    });
    return chain;
  }
}
