import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { Connection } from './connection.ts';
import { CONNECTIONS_MAX, MESSAGE_BYTES_MAX } from './limits.ts';
import type { MethodTable } from './method.ts';

const GOING_AWAY = 1001;
const CLOSE_DEADLINE_MS = 1000;

export interface ServerDependencies {
  readonly methods: MethodTable;
  readonly onError: (error: unknown) => void;
}

/** The WebSocket server on 127.0.0.1. */
export class RpcServer {
  readonly port: number;
  readonly #sockets: WebSocketServer;

  private constructor(sockets: WebSocketServer) {
    this.#sockets = sockets;
    this.port = (sockets.address() as AddressInfo).port;
  }

  /** Resolves when the port is open; 0 takes a free one. */
  static async listen(port: number, { methods, onError }: ServerDependencies): Promise<RpcServer> {
    const sockets = new WebSocketServer({ host: '127.0.0.1', port, maxPayload: MESSAGE_BYTES_MAX });
    await once(sockets, 'listening');
    let subscriptions = 0;
    const nextId = (): string => {
      subscriptions += 1;
      return `dev-${subscriptions}`;
    };
    sockets.on('connection', (socket) => {
      if (sockets.clients.size > CONNECTIONS_MAX) socket.close(1013);
      else new Connection(socket, { methods, nextId, onError });
    });
    sockets.on('error', onError);
    return new RpcServer(sockets);
  }

  /** Cuts every connection without a closing handshake. */
  dropSockets(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
  }

  /** Takes leave of every client, and cuts off those that do not answer in time. */
  async close(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.close(GOING_AWAY);
    const cut = setTimeout(() => this.dropSockets(), CLOSE_DEADLINE_MS);
    await new Promise<void>((resolve) => {
      this.#sockets.close(() => resolve());
    });
    clearTimeout(cut);
  }
}
