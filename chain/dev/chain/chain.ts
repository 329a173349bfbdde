import { type AuthoredBlock, authorBlock, type Block, duePulses, type StateEdit } from '../block/index.ts';
import { DevChainError } from '../errors.ts';
import { toHex } from '../hex.ts';
import {
  checkNonce,
  checkSignature,
  drandStorage,
  type Extrinsic,
  noteParent,
  type Runtime,
  systemStorage,
  timestampNow,
  type ValidityContext,
} from '../runtime/index.ts';
import { Overlay, type StateReader } from '../storage/index.ts';
import type { ChainStore } from '../store/index.ts';
import { badFormat, refused, TransactionPool, TransactionWatchers } from '../txpool/index.ts';

const EXTRINSICS_PER_BLOCK_MAX = 512;
const EXTRINSIC_BYTES_MAX = 128 * 1024;
/** Blocks between two sweeps of a pruned chain's old state. */
const PRUNE_INTERVAL_BLOCKS = 256;

export interface ChainOptions {
  readonly chainName: string;
  readonly netuid: number;
  readonly finalityLag: number;
  readonly stateBlocksKept: number | null;
  readonly beaconSecret: Uint8Array;
}

export interface ChainListener {
  readonly onBest: (block: AuthoredBlock) => void;
  readonly onFinalized: (block: Block) => void;
}

/** One chain without forks: its store, its pool, and the step from one block to the next. */
export class Chain {
  readonly options: ChainOptions;
  readonly runtime: Runtime;
  readonly watchers = new TransactionWatchers();
  readonly genesisHash: Uint8Array;
  readonly #store: ChainStore;
  readonly #pool = new TransactionPool();
  readonly #listeners = new Set<ChainListener>();
  #edits: StateEdit[] = [];
  #best: Block;
  #finalized: number;
  #finalityStalled = false;

  /** `store` holds block 0 at least. */
  constructor(options: ChainOptions, runtime: Runtime, store: ChainStore) {
    const [genesis, head] = [store.block(0), store.head()];
    if (genesis === null || head === null) throw new DevChainError('DEVCHAIN_DATABASE_CORRUPT', 'no genesis block');
    this.options = options;
    this.runtime = runtime;
    this.#store = store;
    this.genesisHash = genesis.hash;
    this.#best = head;
    this.#finalized = store.finalizedHeight();
  }

  get best(): Block {
    return this.#best;
  }

  get finalizedHeight(): number {
    return this.#finalized;
  }

  block(height: number): Block | null {
    return this.#store.block(height);
  }

  heightOf(hash: Uint8Array): number | null {
    return this.#store.heightOf(hash);
  }

  stateAt(height: number): StateReader {
    return this.#store.stateAt(height);
  }

  keysAt(height: number, prefix: Uint8Array, after: Uint8Array, count: number): Uint8Array[] {
    return this.#store.keysAt(height, prefix, after, count);
  }

  /** False where a pruned chain has discarded the state of that height. */
  hasState(height: number): boolean {
    const kept = this.options.stateBlocksKept;
    return kept === null || height > this.#best.header.number - kept;
  }

  /** Returns what ends the listening. */
  listen(listener: ChainListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Checks a transaction as Substrate does on submission and puts it into the pool; throws a PoolError. */
  submit(bytes: Uint8Array): { readonly extrinsic: Extrinsic; readonly ready: boolean } {
    const extrinsic = this.#decode(bytes);
    const context = this.#validityContext();
    const sender = checkSignature(extrinsic, context);
    if (typeof sender === 'string') throw refused(sender);
    if (checkNonce(sender, context.state) === 'Stale') throw refused('Stale');
    const replaced = this.#pool.add(extrinsic, sender, context.number);
    if (replaced !== null) this.watchers.end(replaced, { usurped: toHex(extrinsic.hash) });
    return { extrinsic, ready: this.nextNonce(sender.who) > sender.nonce };
  }

  pending(): Extrinsic[] {
    return this.#pool.pending();
  }

  nextNonce(who: Uint8Array): number {
    return this.#pool.nextNonce(who, this.#accountNonce(who));
  }

  /** Puts an edit of the state into the next block. */
  edit(edit: StateEdit): void {
    this.#edits.push(edit);
  }

  stallFinality(stalled: boolean): void {
    this.#finalityStalled = stalled;
  }

  /** Unix milliseconds of the best block; at genesis, of round 1. */
  timestamp(): number {
    const state = this.#headState();
    const stored = Number(timestampNow.get(state));
    return stored > 0 ? stored : drandStorage.beaconConfig.get(state).genesisTime * 1000;
  }

  /** Makes, stores and announces the next block. A timestamp (unix ms) that is not later than the parent's is moved. */
  produce(timestamp: number): AuthoredBlock {
    const parentState = this.#headState();
    const moment = Math.max(timestamp, this.timestamp() + 1);
    const transactions = this.#pool.ready((who) => this.#accountNonce(who), EXTRINSICS_PER_BLOCK_MAX);
    const block = authorBlock(this.runtime, {
      parent: this.#best,
      parentState,
      timestamp: moment,
      pulses: duePulses(parentState, moment, this.options.beaconSecret),
      edits: this.#edits,
      transactions,
    });
    const height = block.header.number;
    const finalized = this.#finalityStalled
      ? this.#finalized
      : Math.max(this.#finalized, height - this.options.finalityLag);
    this.#store.commit(block, finalized);
    this.#edits = [];
    this.#best = { header: block.header, hash: block.hash, extrinsics: block.extrinsics };
    this.#afterCommit(
      block,
      transactions.map(({ extrinsic }) => extrinsic.hash),
      finalized,
    );
    return block;
  }

  close(): void {
    this.#store.close();
  }

  #afterCommit(block: AuthoredBlock, included: readonly Uint8Array[], finalized: number): void {
    const height = block.header.number;
    const done = new Set(included.map(toHex));
    const invalid = this.#pool.prune((who) => this.#accountNonce(who), height + 1, done);
    for (const { hash } of invalid) this.watchers.end(hash, 'invalid');
    this.watchers.included(height, block.hash, included);
    for (const { onBest } of this.#listeners) onBest(block);

    const before = this.#finalized;
    this.#finalized = finalized;
    for (let done = before + 1; done <= finalized; done += 1) this.watchers.finalized(done);
    const head = finalized > before ? this.#store.block(finalized) : null;
    if (head !== null) for (const { onFinalized } of this.#listeners) onFinalized(head);
    const kept = this.options.stateBlocksKept;
    if (kept !== null && height % PRUNE_INTERVAL_BLOCKS === 0) this.#store.prune(height - kept);
  }

  #decode(bytes: Uint8Array): Extrinsic {
    if (bytes.length > EXTRINSIC_BYTES_MAX) throw badFormat('too long');
    try {
      return this.runtime.decodeExtrinsic(bytes);
    } catch (error) {
      if (error instanceof DevChainError) throw badFormat(error.message);
      throw error;
    }
  }

  #validityContext(): ValidityContext {
    const state = new Overlay(this.#headState());
    const { number } = this.#best.header;
    noteParent(state, number, this.#best.hash);
    return { state, number: number + 1, genesisHash: this.genesisHash, version: this.runtime.version };
  }

  #headState(): StateReader {
    return this.#store.stateAt(this.#best.header.number);
  }

  #accountNonce(who: Uint8Array): number {
    return systemStorage.account.get(this.#headState(), who).nonce;
  }
}
