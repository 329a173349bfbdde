import type { Chain, ChainListener } from '../chain/index.ts';
import { fromHex } from '../hex.ts';
import { invalidParams, stateDiscarded, unknownBlock } from './errors.ts';

/** Starts sending to a subscriber; returns what stops it. */
export type Feed = (push: (result: unknown) => void) => () => void;

/** What a method sees of its caller's connection. */
export interface Caller {
  /** Opens a subscription whose notifications carry `notification` as method; gives its id. */
  subscribe(notification: string, feed: Feed): string;
  unsubscribe(id: string): boolean;
}

export type Method = (params: Params, caller: Caller) => unknown;
export type MethodTable = Readonly<Record<string, Method>>;

/** The chain behind the socket. Which one it is can change (dev_switchGenesis): ask for it at every use. */
export interface ServedChain {
  chain(): Chain;
  /** Listens to whatever chain is served. */
  listen(listener: ChainListener): () => void;
}

/** Positional parameters with checks; absent and null are the same. */
export class Params {
  readonly #values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.#values = values;
  }

  raw(index: number): unknown {
    return this.#values[index] ?? null;
  }

  text(index: number): string {
    const value = this.raw(index);
    if (typeof value !== 'string') throw invalidParams(`parameter ${index} is not a string`);
    return value;
  }

  integer(index: number): number {
    const value = this.raw(index);
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
      throw invalidParams(`parameter ${index} is not an integer from 0`);
    }
    return value;
  }

  boolean(index: number): boolean {
    const value = this.raw(index);
    if (typeof value !== 'boolean') throw invalidParams(`parameter ${index} is not a boolean`);
    return value;
  }

  bytes(index: number): Uint8Array {
    const bytes = fromHex(this.raw(index));
    if (bytes === null) throw invalidParams(`parameter ${index} is not 0x and hex`);
    return bytes;
  }

  optionalBytes(index: number): Uint8Array | null {
    return this.raw(index) === null ? null : this.bytes(index);
  }

  bytesList(index: number, max: number): Uint8Array[] {
    const value = this.raw(index);
    if (!Array.isArray(value) || value.length > max) throw invalidParams(`parameter ${index} is not a list in bounds`);
    return value.map((item: unknown) => {
      const bytes = fromHex(item);
      if (bytes === null) throw invalidParams(`parameter ${index} has an item that is not 0x and hex`);
      return bytes;
    });
  }

  /** The height of an optional block hash whose state is readable; the best block's if absent. */
  stateHeight(index: number, chain: Chain): number {
    const hash = this.optionalBytes(index);
    if (hash === null) return chain.best.header.number;
    const height = chain.heightOf(hash);
    if (height === null) throw unknownBlock(this.text(index));
    if (!chain.hasState(height)) throw stateDiscarded(this.text(index));
    return height;
  }
}

/** The method of an unsubscribe call: true if the id was open. */
export const unsubscribe: Method = (params, caller) => caller.unsubscribe(String(params.raw(0)));
