import { toHex } from '../hex.ts';

/** `author_extrinsicUpdate` statuses, as Substrate writes them. */
export type TransactionStatus =
  | 'ready'
  | 'future'
  | 'invalid'
  | { readonly inBlock: string }
  | { readonly finalized: string }
  | { readonly usurped: string };

type Listener = (status: TransactionStatus) => void;

/** Who is told what becomes of a transaction; a listener is forgotten after a final status. */
export class TransactionWatchers {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #included = new Map<number, { readonly block: string; readonly hashes: readonly string[] }>();

  /** Returns what ends the watching. */
  watch(hash: Uint8Array, listener: Listener): () => void {
    const key = toHex(hash);
    const listeners = this.#listeners.get(key) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(key, listeners);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(key);
    };
  }

  end(hash: Uint8Array, status: TransactionStatus): void {
    this.#tell(toHex(hash), status);
    this.#listeners.delete(toHex(hash));
  }

  included(height: number, blockHash: Uint8Array, hashes: readonly Uint8Array[]): void {
    const block = toHex(blockHash);
    const watched = hashes.map(toHex).filter((hash) => this.#listeners.has(hash));
    if (watched.length > 0) this.#included.set(height, { block, hashes: watched });
    for (const hash of watched) this.#tell(hash, { inBlock: block });
  }

  finalized(height: number): void {
    const entry = this.#included.get(height);
    if (entry === undefined) return;
    this.#included.delete(height);
    for (const hash of entry.hashes) {
      this.#tell(hash, { finalized: entry.block });
      this.#listeners.delete(hash);
    }
  }

  #tell(hash: string, status: TransactionStatus): void {
    for (const listener of this.#listeners.get(hash) ?? []) listener(status);
  }
}
