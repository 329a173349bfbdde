import { toHex } from '../hex.ts';
import { birthOf, type Extrinsic, type Sender } from '../runtime/index.ts';
import { alreadyImported, immediatelyDropped, priorityTooLow } from './errors.ts';

/** Transactions waiting, all senders together, and of one sender. */
const POOL_MAX = 4096;
const PER_SENDER_MAX = 64;

export interface PoolEntry extends Sender {
  readonly extrinsic: Extrinsic;
  readonly arrival: number;
  /** The last block it can be in. */
  readonly lastBlock: number;
}

/** Transactions by sender and nonce, each checked before it came in. */
export class TransactionPool {
  readonly #bySender = new Map<string, Map<number, PoolEntry>>();
  readonly #hashes = new Set<string>();
  #arrivals = 0;

  get size(): number {
    return this.#hashes.size;
  }

  /**
   * Takes a transaction meant for block `number`. Gives the hash of the one it replaces (same nonce, larger tip) or
   * null; throws a PoolError where it is known, too cheap, or the pool is full.
   */
  add(extrinsic: Extrinsic, sender: Sender, number: number): Uint8Array | null {
    const hash = toHex(extrinsic.hash);
    if (this.#hashes.has(hash)) throw alreadyImported(hash);
    const key = toHex(sender.who);
    const own = this.#bySender.get(key) ?? new Map<number, PoolEntry>();
    const replaced = own.get(sender.nonce);
    const tip = tipOf(extrinsic);
    if (replaced !== undefined && tip <= tipOf(replaced.extrinsic)) {
      throw priorityTooLow(tipOf(replaced.extrinsic), tip);
    }
    if (replaced === undefined && (own.size >= PER_SENDER_MAX || this.size >= POOL_MAX)) throw immediatelyDropped();
    if (replaced !== undefined) this.#hashes.delete(toHex(replaced.extrinsic.hash));
    this.#arrivals += 1;
    own.set(sender.nonce, { ...sender, extrinsic, arrival: this.#arrivals, lastBlock: lastBlockOf(extrinsic, number) });
    this.#bySender.set(key, own);
    this.#hashes.add(hash);
    return replaced?.extrinsic.hash ?? null;
  }

  /** Transactions whose nonces follow on from the accounts', in order of arrival, at most `limit`. */
  ready(nextNonce: (who: Uint8Array) => number, limit: number): PoolEntry[] {
    const ordered: { readonly entry: PoolEntry; readonly rank: number }[] = [];
    for (const own of this.#bySender.values()) {
      const first = own.values().next().value;
      let nonce = first === undefined ? 0 : nextNonce(first.who);
      let rank = 0;
      for (let entry = own.get(nonce); entry !== undefined; entry = own.get(nonce)) {
        rank = Math.max(rank, entry.arrival);
        ordered.push({ entry, rank });
        nonce += 1;
      }
    }
    ordered.sort((a, b) => a.rank - b.rank || a.entry.nonce - b.entry.nonce);
    return ordered.slice(0, limit).map(({ entry }) => entry);
  }

  /** The account's next nonce with the ready ones in the pool counted (`system_accountNextIndex`). */
  nextNonce(who: Uint8Array, accountNonce: number): number {
    const own = this.#bySender.get(toHex(who));
    let nonce = accountNonce;
    while (own?.has(nonce) === true) nonce += 1;
    return nonce;
  }

  pending(): Extrinsic[] {
    return [...this.#bySender.values()].flatMap((own) => [...own.values()]).map(({ extrinsic }) => extrinsic);
  }

  /** After a block: takes out what can be in no later block. Gives those that were not in it but cannot be any more. */
  prune(nextNonce: (who: Uint8Array) => number, nextBlock: number, included: ReadonlySet<string>): Extrinsic[] {
    const invalid: Extrinsic[] = [];
    for (const [key, own] of this.#bySender) {
      for (const [nonce, { who, extrinsic, lastBlock }] of own) {
        if (nonce >= nextNonce(who) && nextBlock <= lastBlock) continue;
        own.delete(nonce);
        const hash = toHex(extrinsic.hash);
        this.#hashes.delete(hash);
        if (!included.has(hash)) invalid.push(extrinsic);
      }
      if (own.size === 0) this.#bySender.delete(key);
    }
    return invalid;
  }
}

function tipOf({ signed }: Extrinsic): bigint {
  return signed?.extra.tip ?? 0n;
}

function lastBlockOf({ signed }: Extrinsic, number: number): number {
  const era = signed?.extra.mortality ?? null;
  return era === null ? Number.POSITIVE_INFINITY : birthOf(era, number) + era.period - 1;
}
