import type { WebSocket } from 'ws';
import { PoolError } from '../txpool/index.ts';
import { internalError, invalidRequest, methodNotFound, parseError, RpcError, tooManySubscriptions } from './errors.ts';
import { BATCH_MAX, SUBSCRIPTIONS_PER_CONNECTION_MAX, UNSENT_BYTES_MAX } from './limits.ts';
import { type Caller, type Feed, type MethodTable, Params } from './method.ts';

interface Request {
  readonly id: string | number | null;
  readonly method: string;
  readonly params: readonly unknown[];
}

export interface ConnectionDependencies {
  readonly methods: MethodTable;
  readonly nextId: () => string;
  /** An error of ours, not of the caller. */
  readonly onError: (error: unknown) => void;
}

/** One client's JSON-RPC 2.0 conversation and its subscriptions. */
export class Connection implements Caller {
  readonly #socket: WebSocket;
  readonly #dependencies: ConnectionDependencies;
  readonly #subscriptions = new Map<string, () => void>();
  /** Notifications of a subscription wait here until its id has been answered. */
  #held: string[] | null = null;

  constructor(socket: WebSocket, dependencies: ConnectionDependencies) {
    this.#socket = socket;
    this.#dependencies = dependencies;
    socket.on('message', (data) => this.#receive(String(data)));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => this.#end());
  }

  subscribe(notification: string, feed: Feed): string {
    if (this.#subscriptions.size >= SUBSCRIPTIONS_PER_CONNECTION_MAX) throw tooManySubscriptions();
    const id = this.#dependencies.nextId();
    const stop = feed((result) => {
      this.#notify(JSON.stringify({ jsonrpc: '2.0', method: notification, params: { subscription: id, result } }));
    });
    this.#subscriptions.set(id, stop);
    return id;
  }

  unsubscribe(id: string): boolean {
    this.#subscriptions.get(id)?.();
    return this.#subscriptions.delete(id);
  }

  #receive(text: string): void {
    this.#held = [];
    const answer = this.#answerTo(text);
    if (answer !== null) this.#send(JSON.stringify(answer));
    const held = this.#held;
    this.#held = null;
    for (const notification of held) this.#send(notification);
  }

  #answerTo(text: string): object | null {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return errorAnswer(null, parseError());
    }
    if (!Array.isArray(message)) return this.#answerOne(message);
    if (message.length === 0 || message.length > BATCH_MAX) return errorAnswer(null, invalidRequest());
    return message.map((item) => this.#answerOne(item));
  }

  #answerOne(message: unknown): object {
    const request = requestOf(message);
    if (request === null) return errorAnswer(null, invalidRequest());
    const { id, method, params } = request;
    try {
      const run = Object.hasOwn(this.#dependencies.methods, method) ? this.#dependencies.methods[method] : undefined;
      if (run === undefined) throw methodNotFound();
      return { jsonrpc: '2.0', id, result: run(new Params(params), this) };
    } catch (error) {
      if (error instanceof RpcError || error instanceof PoolError) return errorAnswer(id, error);
      this.#dependencies.onError(error);
      return errorAnswer(id, internalError());
    }
  }

  #notify(text: string): void {
    if (this.#held === null) this.#send(text);
    else this.#held.push(text);
  }

  #send(text: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > UNSENT_BYTES_MAX) this.#socket.terminate();
    else this.#socket.send(text);
  }

  #end(): void {
    for (const stop of this.#subscriptions.values()) stop();
    this.#subscriptions.clear();
  }
}

function requestOf(message: unknown): Request | null {
  if (typeof message !== 'object' || message === null) return null;
  const { jsonrpc, id = null, method, params = [] } = message as Readonly<Record<string, unknown>>;
  const idFits = id === null || typeof id === 'string' || typeof id === 'number';
  if (jsonrpc !== '2.0' || !idFits || typeof method !== 'string' || !Array.isArray(params)) return null;
  return { id, method, params };
}

function errorAnswer(id: Request['id'], { code, message, data }: RpcError | PoolError): object {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === null ? {} : { data }) } };
}
