import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { ephemeralStart, freePorts } from '../../../node/devnet/ports.ts';

test('ports are free, distinct, and outside the range that outgoing connections are given', async () => {
  const ports = await freePorts(20);
  assert.equal(new Set(ports).size, 20);
  for (const port of ports) {
    assert.ok(port < ephemeralStart(), `${port} may be taken by any outgoing connection`);
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
  }
});
