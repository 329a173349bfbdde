import { ChainError, type ChainErrorCode } from '../errors.ts';
import { Backoff } from './backoff.ts';
import { type Clock, orAbort, systemClock, withDeadline } from './clock.ts';
import { type OpenConnection, openConnection } from './connection.ts';
import { type Endpoint, parseEndpoints } from './endpoint.ts';
import { DEFAULT_DEADLINES, type Deadlines } from './limits.ts';
import { type Link, openLink } from './link.ts';

export interface RpcOptions {
  /** ws:// or wss:// URLs, tried in turn. */
  readonly endpoints: readonly string[];
  /** Pinned genesis hash; null takes the first connection's as the pin. */
  readonly genesisHash: string | null;
  readonly deadlines?: Partial<Deadlines>;
}

export interface RpcDependencies {
  readonly random: () => number;
  readonly clock?: Clock;
  readonly open?: OpenConnection;
  /** Told about every change of the connection, for logs and metrics. */
  readonly onEvent?: (event: RpcEvent) => void;
}

export type RpcEvent =
  | { readonly kind: 'connected'; readonly endpoint: string }
  | { readonly kind: 'disconnected'; readonly endpoint: string; readonly error: ChainError }
  | { readonly kind: 'failed'; readonly error: ChainError };

export interface RpcHealth {
  /** Scheme and host of the live endpoint, null while there is none. */
  readonly endpoint: string | null;
  /** Successful connections since the start. */
  readonly connections: number;
  readonly lastError: ChainErrorCode | null;
  /** Set once, if the operator must act: every call fails with it. */
  readonly failed: ChainError | null;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** JSON-RPC over whichever endpoint is up. */
export interface RpcClient {
  readonly genesisHash: string;
  /** A read: repeated over reconnects and endpoints until its deadline. */
  call(method: string, params: readonly unknown[], options?: CallOptions): Promise<unknown>;
  /** Asked once on one connection: for what must not be repeated. */
  callOnce(method: string, params: readonly unknown[], options?: CallOptions): Promise<unknown>;
  /** Calls `listener` when a new finalized head may be there, and after each connection; returns the way to stop. */
  onFinalized(listener: () => void): () => void;
  /** Gives up the live connection for the next endpoint, without delay. */
  rotate(): void;
  health(): RpcHealth;
  close(): Promise<void>;
}

/** What another endpoint may answer although this one did not. */
const ELSEWHERE: ReadonlySet<ChainErrorCode> = new Set(['ARCHIVE_NEEDED', 'BLOCK_UNKNOWN']);
/** What a new connection may cure. */
const RECONNECT: ReadonlySet<ChainErrorCode> = new Set(['TRANSPORT', 'CALL_DEADLINE', 'RPC_MALFORMED']);

/**
 * Connects to the first endpoint that serves the pinned chain and keeps a connection from then on.
 * Rejects with WRONG_GENESIS, ENDPOINT_MALFORMED, or CALL_DEADLINE if no endpoint can be reached within `readMs`.
 */
export async function connectRpc(
  options: RpcOptions,
  dependencies: RpcDependencies,
  signal?: AbortSignal,
): Promise<RpcClient> {
  const client = new RotatingClient(options, dependencies);
  try {
    await client.ready(signal);
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

class RotatingClient implements RpcClient {
  readonly #endpoints: readonly Endpoint[];
  readonly #deadlines: Deadlines;
  readonly #clock: Clock;
  readonly #open: OpenConnection;
  readonly #backoff: Backoff;
  readonly #onEvent: (event: RpcEvent) => void;
  readonly #listeners = new Set<() => void>();
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #genesisHash: string | null;
  /** The live link, or the promise of the next one. */
  #link: Link | null = null;
  #next = freshLink();
  #rotating = false;
  #connections = 0;
  #lastError: ChainErrorCode | null = null;
  #failed: ChainError | null = null;

  constructor(options: RpcOptions, { random, clock, open, onEvent }: RpcDependencies) {
    this.#endpoints = parseEndpoints(options.endpoints);
    this.#deadlines = { ...DEFAULT_DEADLINES, ...options.deadlines };
    this.#clock = clock ?? systemClock;
    this.#open = open ?? openConnection;
    this.#onEvent = onEvent ?? (() => {});
    this.#genesisHash = options.genesisHash;
    const { backoffMinMs: minMs, backoffMaxMs: maxMs } = this.#deadlines;
    this.#backoff = new Backoff({ minMs, maxMs }, random);
    this.#running = this.#run();
  }

  get genesisHash(): string {
    return this.#genesisHash as string;
  }

  async ready(signal?: AbortSignal): Promise<void> {
    await this.#within('connect', signal, (both) => this.#live(both));
  }

  call(method: string, params: readonly unknown[], { signal }: CallOptions = {}): Promise<unknown> {
    return this.#within(method, signal, async (both) => {
      const tried = new Set<number>();
      for (;;) {
        const link = await this.#live(both);
        try {
          return await this.#request(link, method, params, both);
        } catch (error) {
          both.throwIfAborted();
          if (!(error instanceof ChainError)) throw error;
          if (ELSEWHERE.has(error.code)) {
            tried.add(link.endpoint);
            if (tried.size === this.#endpoints.length) throw error;
            if (this.#link === link) this.rotate();
          } else if (!RECONNECT.has(error.code)) throw error;
        }
      }
    });
  }

  callOnce(method: string, params: readonly unknown[], { signal }: CallOptions = {}): Promise<unknown> {
    return this.#within(method, signal, async (both) => this.#request(await this.#live(both), method, params, both));
  }

  onFinalized(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  rotate(): void {
    if (this.#link === null) return;
    this.#rotating = true;
    this.#link.connection.close();
  }

  health(): RpcHealth {
    const endpoint = this.#link === null ? null : this.#label(this.#link.endpoint);
    return { endpoint, connections: this.#connections, lastError: this.#lastError, failed: this.#failed };
  }

  async close(): Promise<void> {
    this.#stop.abort(new ChainError('TRANSPORT', 'chain client closed'));
    this.#link?.connection.close();
    this.#listeners.clear();
    await this.#running;
  }

  #within<T>(field: string, signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = () => {
      const message = this.#lastError === null ? undefined : `no answer in time; last error ${this.#lastError}`;
      return new ChainError('CALL_DEADLINE', message, { field });
    };
    return withDeadline({ ms: this.#deadlines.readMs, clock: this.#clock, signal, late }, work);
  }

  async #live(signal: AbortSignal): Promise<Link> {
    if (this.#failed !== null) throw this.#failed;
    return this.#link ?? orAbort(this.#next.promise, signal);
  }

  async #request(link: Link, method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    const late = () => new ChainError('CALL_DEADLINE', undefined, { field: method });
    const options = { ms: this.#deadlines.callMs, clock: this.#clock, signal, late };
    try {
      return await withDeadline(options, (both) => link.connection.request(method, params, both));
    } catch (error) {
      // A socket that does not answer is as good as closed; half-open ones are found only this way.
      if (!signal.aborted && error instanceof ChainError && RECONNECT.has(error.code)) link.connection.close();
      throw error;
    }
  }

  /** Keeps one link up until the client is closed or the operator must act. */
  async #run(): Promise<void> {
    const signal = this.#stop.signal;
    for (let endpoint = 0; !signal.aborted; endpoint = (endpoint + 1) % this.#endpoints.length) {
      const error = await this.#serve(endpoint, signal);
      if (signal.aborted) break;
      this.#lastError = error.code;
      if (error.fault === 'operator') return this.#fail(error);
      this.#onEvent({ kind: 'disconnected', endpoint: this.#label(endpoint), error });
      const immediate = this.#rotating;
      this.#rotating = false;
      if (!immediate) await this.#clock.sleep(this.#backoff.next(), signal).catch(() => {});
    }
    this.#fail(signal.reason as ChainError);
  }

  /** One link's life; resolves with what ended it. */
  async #serve(endpoint: number, signal: AbortSignal): Promise<ChainError> {
    const { url } = this.#endpoints[endpoint] as Endpoint;
    const announce = () => {
      for (const listener of this.#listeners) listener();
    };
    let link: Link;
    try {
      link = await openLink({
        url,
        endpoint,
        genesisHash: this.#genesisHash,
        deadlines: this.#deadlines,
        clock: this.#clock,
        open: this.#open,
        onFinalized: announce,
        signal,
      });
    } catch (error) {
      return error instanceof ChainError ? error : new ChainError('TRANSPORT', undefined, { cause: error });
    }
    if (link.connection.closed.aborted || signal.aborted) {
      link.connection.close();
      return link.connection.closed.reason as ChainError;
    }
    this.#genesisHash = link.genesisHash;
    this.#connections += 1;
    this.#link = link;
    this.#next.resolve(link);
    this.#onEvent({ kind: 'connected', endpoint: this.#label(endpoint) });
    announce();
    await new Promise((resolve) => link.connection.closed.addEventListener('abort', resolve, { once: true }));
    this.#link = null;
    this.#next = freshLink();
    // Endpoints that accept and drop us at once are not hammered: only a link that lasted counts as recovery.
    if (this.#clock.now() - link.since >= this.#deadlines.backoffMaxMs) this.#backoff.reset();
    return link.connection.closed.reason as ChainError;
  }

  #fail(error: ChainError): void {
    this.#failed = error;
    this.#next.reject(error);
    if (error.fault === 'operator') this.#onEvent({ kind: 'failed', error });
    for (const listener of this.#listeners) listener();
  }

  #label(endpoint: number): string {
    return (this.#endpoints[endpoint] as Endpoint).label;
  }
}

function freshLink(): PromiseWithResolvers<Link> {
  const next = Promise.withResolvers<Link>();
  // Nobody may be waiting when it fails.
  next.promise.catch(() => {});
  return next;
}
