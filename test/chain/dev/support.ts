import { once } from 'node:events';
import { ApiPromise, WsProvider } from '@polkadot/api';
import type { SubmittableExtrinsic } from '@polkadot/api/types';
import { Keyring } from '@polkadot/keyring';
import type { KeyringPair } from '@polkadot/keyring/types';
import type { ProviderInterface } from '@polkadot/rpc-provider/types';
import type { AnyJson, Codec } from '@polkadot/types/types';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { WebSocket } from 'ws';
import { type DevChain, type DevChainOptions, devnetGenesis, startDevChain } from '../../../chain/dev/index.ts';

export const NETUID = 1;
/** Uids of the test subnet: owner 0, validators 1 and 2, miners 3 and 4. */
export const SIZE = { validators: 2, miners: 2 };

export interface TestChain {
  readonly chain: DevChain;
  readonly api: ApiPromise;
}

export async function manualOptions(overrides: Partial<DevChainOptions> = {}): Promise<DevChainOptions> {
  await cryptoWaitReady();
  const genesis = { ...devnetGenesis(SIZE), genesis_time: 1_800_000_000 };
  return { genesis, block_time_ms: 0, db_path: ':memory:', admin: true, ...overrides };
}

/** Where a test leaves what has to be closed after it: its own context. */
export interface Cleanup {
  after(close: () => Promise<void>): void;
}

/** For what several tests share: closed by the suite's own `after`. */
export class SharedCleanup implements Cleanup {
  readonly #closers: (() => Promise<void>)[] = [];

  after(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  async close(): Promise<void> {
    for (const close of this.#closers.reverse()) await close();
  }
}

/** A chain that makes blocks on demand, and an unmodified client connected to it. */
export async function manualChain(cleanup: Cleanup, overrides: Partial<DevChainOptions> = {}): Promise<TestChain> {
  const chain = await startDevChain(await manualOptions(overrides));
  const api = await connect(chain.url);
  cleanup.after(async () => {
    await api.disconnect();
    await chain.close();
  });
  return { chain, api };
}

export async function connect(url: string): Promise<ApiPromise> {
  const provider = new WsProvider(url) as unknown as ProviderInterface;
  return ApiPromise.create({ provider, noInitWarn: true });
}

export function key(uri: string): KeyringPair {
  return new Keyring({ type: 'sr25519', ss58Format: 42 }).addFromUri(uri);
}

type Query = (...keys: unknown[]) => Promise<Codec>;
type Queryable = { readonly query: unknown };

/** One storage entry of a client or of a client at an older block. */
export function storage(api: Queryable, pallet: string, entry: string): Query {
  const pallets = api.query as Readonly<Record<string, Readonly<Record<string, Query>>>>;
  return pallets[pallet]![entry]!;
}

export function call(
  api: ApiPromise,
  pallet: string,
  name: string,
  ...args: unknown[]
): SubmittableExtrinsic<'promise'> {
  return api.tx[pallet]![name]!(...args);
}

export interface SeenEvent {
  /** Null: phase Initialization. */
  readonly extrinsic: number | null;
  readonly name: string;
  readonly data: AnyJson;
}

/** System.Events after a block. */
export async function eventsAt(api: ApiPromise, hash: string): Promise<SeenEvent[]> {
  const at = await api.at(hash);
  const records = (await storage(at, 'system', 'events')()) as unknown as Iterable<{
    readonly phase: { readonly isApplyExtrinsic: boolean; readonly asApplyExtrinsic: { toNumber(): number } };
    readonly event: { readonly section: string; readonly method: string; readonly data: Codec };
  }>;
  return [...records].map(({ phase, event }) => ({
    extrinsic: phase.isApplyExtrinsic ? phase.asApplyExtrinsic.toNumber() : null,
    name: `${event.section}.${event.method}`,
    data: event.data.toJSON(),
  }));
}

/** Sends a call, makes a block, and gives the outcome of the call in it: null, or the name of the module error. */
export async function dispatch(
  { chain, api }: TestChain,
  tx: SubmittableExtrinsic<'promise'>,
  signer: KeyringPair,
): Promise<{ readonly hash: string; readonly error: string | null; readonly events: SeenEvent[] }> {
  await tx.signAndSend(signer);
  const { hash } = chain.produceBlock();
  const events = await eventsAt(api, hash);
  const last = events.at(-1)!;
  return { hash, error: last.name === 'system.ExtrinsicFailed' ? moduleError(api, last.data) : null, events };
}

function moduleError(api: ApiPromise, data: AnyJson): string {
  const [failure] = data as unknown as [{ module?: { index: number; error: string } }];
  if (failure.module === undefined) return JSON.stringify(failure);
  const index = Number.parseInt(failure.module.error.slice(2, 4), 16);
  return api.registry.findMetaError(Uint8Array.of(failure.module.index, index)).name;
}

/** Plain JSON-RPC over one socket, for what the client library does not offer. */
export class RawClient {
  readonly #socket: WebSocket;
  readonly notifications: { readonly method: string; readonly params: { subscription: string; result: unknown } }[] =
    [];
  readonly #waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>();
  #ids = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (text) => {
      const message = JSON.parse(String(text));
      if (message.id === undefined) this.notifications.push(message);
      else if (message.error !== undefined) this.#waiting.get(message.id)?.reject(message.error);
      else this.#waiting.get(message.id)?.resolve(message.result);
    });
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('closed'));
    });
  }

  static async connect(cleanup: Cleanup, url: string): Promise<RawClient> {
    const socket = new WebSocket(url);
    await once(socket, 'open');
    cleanup.after(async () => socket.terminate());
    return new RawClient(socket);
  }

  call(method: string, ...params: unknown[]): Promise<unknown> {
    this.#ids += 1;
    const id = this.#ids;
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** Resolves when the other side has closed the socket. */
  async closed(): Promise<void> {
    if (this.#socket.readyState !== WebSocket.CLOSED) await once(this.#socket, 'close');
  }
}

const CONDITION_DEADLINE_MS = 10_000;
const CONDITION_POLL_MS = 10;

/** Waits until `holds` does; fails with `what` after ten seconds. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const polls = CONDITION_DEADLINE_MS / CONDITION_POLL_MS;
  for (let poll = 0; !holds(); poll += 1) {
    if (poll > polls) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, CONDITION_POLL_MS));
  }
}
