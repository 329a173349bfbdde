import WebSocket from 'ws';
import { ChainError } from '../errors.ts';
import { remoteError } from './classify.ts';
import { orAbort } from './clock.ts';
import { RESPONSE_MAX_BYTES } from './limits.ts';

/** One socket to one endpoint: JSON-RPC 2.0 requests, and subscriptions that live as long as the socket. */
export interface Connection {
  /** The `result` of one call. TRANSPORT if the socket breaks; a refusal as `remoteError` classifies it. */
  request(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown>;
  /** Calls `onItem` for every notification until the socket closes. */
  subscribe(method: string, onItem: (item: unknown) => void, signal: AbortSignal): Promise<void>;
  /** Fires once, with a ChainError, when the socket is gone. */
  readonly closed: AbortSignal;
  /** Drops the socket at once: a half-open one never answers a closing handshake. */
  close(): void;
}

export type OpenConnection = (url: string, signal: AbortSignal) => Promise<Connection>;

interface Pending {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: ChainError) => void;
}

/**
 * Opens a WebSocket to `url`; TRANSPORT if that fails, the signal's reason if it fires first.
 *
 * The socket is our own use of `ws` and not a provider of @polkadot/api, because those reconnect to whatever chain
 * answers without saying so, print the URL, and bound neither the answer's size nor the wait.
 */
export async function openConnection(url: string, signal: AbortSignal): Promise<Connection> {
  signal.throwIfAborted();
  const socket = new WebSocket(url, {
    maxPayload: RESPONSE_MAX_BYTES,
    perMessageDeflate: false,
    followRedirects: false,
  });
  const connection = new SocketConnection(socket);
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.once('open', resolve);
  try {
    await orAbort(promise, AbortSignal.any([signal, connection.closed]));
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

class SocketConnection implements Connection {
  readonly #socket: WebSocket;
  readonly #closed = new AbortController();
  readonly #pending = new Map<number, Pending>();
  readonly #subscriptions = new Map<string, (item: unknown) => void>();
  #nextId = 1;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    // The error's own message can hold the URL, so only its code is kept.
    socket.on('error', (error: NodeJS.ErrnoException) => this.#end(`socket error ${error.code ?? error.name}`));
    socket.on('close', (code) => this.#end(`socket closed with code ${code}`));
    socket.on('message', (data, isBinary) => this.#onMessage(data, isBinary));
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  close(): void {
    this.#end('socket closed by this node');
  }

  async request(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    this.closed.throwIfAborted();
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#pending.set(id, { method, resolve, reject });
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    try {
      return await orAbort(promise, signal);
    } finally {
      this.#pending.delete(id);
    }
  }

  async subscribe(method: string, onItem: (item: unknown) => void, signal: AbortSignal): Promise<void> {
    const id = await this.request(method, [], signal);
    if (typeof id !== 'string' && typeof id !== 'number') {
      throw new ChainError('RPC_MALFORMED', undefined, { field: method });
    }
    this.#subscriptions.set(String(id), onItem);
  }

  #onMessage(data: WebSocket.RawData, isBinary: boolean): void {
    const message = isBinary ? null : parseObject(data.toString());
    if (message === null) this.#end('endpoint sent something that is not JSON-RPC');
    else if (typeof message['id'] === 'number') this.#onAnswer(message['id'], message);
    else this.#onNotification(message['params']);
  }

  #onAnswer(id: number, message: Record<string, unknown>): void {
    const pending = this.#pending.get(id);
    // Absent if its deadline passed; the answer is of no use any more.
    if (pending === undefined) return;
    if (message['error'] !== undefined) pending.reject(remoteError(pending.method, message['error']));
    else if (message['result'] !== undefined) pending.resolve(message['result']);
    else pending.reject(new ChainError('RPC_MALFORMED', undefined, { field: pending.method }));
  }

  #onNotification(params: unknown): void {
    if (typeof params !== 'object' || params === null) return;
    const { subscription, result } = params as Record<string, unknown>;
    this.#subscriptions.get(String(subscription))?.(result);
  }

  #end(why: string): void {
    if (this.closed.aborted) return;
    const error = new ChainError('TRANSPORT', why);
    this.#socket.terminate();
    this.#subscriptions.clear();
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    this.#closed.abort(error);
  }
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
