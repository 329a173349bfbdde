import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { type WebSocket, WebSocketServer } from 'ws';

export const GENESIS = `0x${'11'.repeat(32)}`;
export const OTHER_GENESIS = `0x${'22'.repeat(32)}`;

export interface FakeError {
  readonly code: number;
  readonly message: string;
  readonly data?: string;
}

/** Answers a method: a result, an error, or nothing at all. */
export type FakeMethod = (params: readonly unknown[]) => { result: unknown } | { error: FakeError } | 'silence';

export interface FakeServer {
  readonly url: string;
  /** Calls of a method so far. */
  calls(method: string): number;
  /** Sends text to every client. */
  broadcast(text: string): void;
  /** Drops every client without a closing handshake. */
  drop(): void;
}

/** An endpoint that says what a test wants, however wrong. */
export async function fakeServer(
  t: TestContext,
  methods: Readonly<Record<string, FakeMethod>> = {},
): Promise<FakeServer> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const seen: string[] = [];
  const all: Readonly<Record<string, FakeMethod>> = {
    chain_getBlockHash: () => ({ result: GENESIS }),
    chain_subscribeFinalizedHeads: () => ({ result: 'sub' }),
    ...methods,
  };
  server.on('connection', (socket: WebSocket) => {
    socket.on('message', (data) => {
      const { id, method, params } = JSON.parse(data.toString()) as { id: number; method: string; params: unknown[] };
      seen.push(method);
      const answer = all[method]?.(params) ?? { error: { code: -32_601, message: 'Method not found' } };
      if (answer !== 'silence') socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  });
  t.after(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return {
    url: `ws://127.0.0.1:${port}`,
    calls: (method) => seen.filter((name) => name === method).length,
    broadcast: (text) => {
      for (const socket of server.clients) socket.send(text);
    },
    drop: () => {
      for (const socket of server.clients) socket.terminate();
    },
  };
}
