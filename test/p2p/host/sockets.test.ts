import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { join, startNodes, stopNodes, untilHeard } from '../support/nets.ts';
import { type TestNode, until } from '../support/nodes.ts';

function port(node: TestNode): number {
  return Number(node.address().split('/')[4]);
}

async function socketTo(node: TestNode): Promise<Socket> {
  const socket = connect(port(node), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Resolves at the end, however it comes (`once` would reject for a reset). */
function closing(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

test('a socket that never speaks is closed, and holds nobody up', async () => {
  const nodes = await startNodes(['slow victim', 'neighbour'], { authTimeoutMs: 1_500 });
  const [victim, neighbour] = nodes as [TestNode, TestNode];
  try {
    const silent = await Promise.all(Array.from({ length: 5 }, () => socketTo(victim)));
    const closed = Promise.all(silent.map((socket) => closing(socket.resume())));
    await join(neighbour, victim);
    await closed;
    await untilHeard(neighbour, victim);
  } finally {
    await stopNodes(nodes);
  }
});

test('50 sockets that send rubbish and reset leave nothing behind, and nothing is thrown', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => {
    unhandled.push(error);
  };
  process.on('unhandledRejection', note);
  process.on('uncaughtExceptionMonitor', note);
  const nodes = await startNodes(['churned', 'neighbour']);
  const [victim, neighbour] = nodes as [TestNode, TestNode];
  try {
    await join(neighbour, victim);
    for (let i = 0; i < 50; i++) {
      const socket = await socketTo(victim);
      // Half of them get as far as Noise, in the dialect every libp2p node begins with.
      socket.write(i % 2 === 0 ? randomBytes(200) : '\x13/multistream/1.0.0\n\x07/noise\n');
      if (i % 4 === 1) await Promise.race([once(socket, 'data'), closing(socket)]);
      socket.resetAndDestroy();
    }
    await until('only the neighbour is left', () => victim.network.describeNetwork().unauthenticated === 0);
    assert.equal(victim.network.peers().length, 1);
    await untilHeard(neighbour, victim);
    assert.deepEqual(unhandled, []);
  } finally {
    process.off('unhandledRejection', note);
    process.off('uncaughtExceptionMonitor', note);
    await stopNodes(nodes);
  }
});
