import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { WebSocketServer } from 'ws';
import { cli, devnetNode, GENESIS } from './support.ts';

type Levels = Readonly<Record<string, string>>;

/** A chain endpoint that knows one thing: its genesis hash. */
async function endpoint(t: TestContext, genesis: string): Promise<string> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  t.after(() => server.close());
  server.on('connection', (socket) => {
    socket.on('message', (data) => {
      const { id, method } = JSON.parse(String(data));
      if (method === 'chain_getBlockHash') socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: genesis }));
    });
  });
  await once(server, 'listening');
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function doctor(
  file: string,
  environment: Record<string, string> = {},
): Promise<{ exit: number; levels: Levels; out: string }> {
  const { exit, out } = await cli(['doctor', '--json', '--config', file], environment);
  const { checks } = JSON.parse(out).result as { checks: { name: string; level: string }[] };
  return { exit, out, levels: Object.fromEntries(checks.map(({ name, level }) => [name.split(' ws:')[0], level])) };
}

test('a healthy node has nothing to put right', async (t) => {
  const { file } = devnetNode(t, await endpoint(t, GENESIS));
  await cli(['init', '--config', file]);
  const { exit, levels, out } = await doctor(file);
  assert.equal(exit, 0, out);
  const hostDepends = ['lane sandbox', 'data directory'];
  for (const [name, level] of Object.entries(levels)) {
    if (!hostDepends.includes(name)) assert.equal(level, name === 'archive endpoint' ? 'warn' : 'ok', name);
  }
  assert.equal(Object.keys(levels).length, 12);
  assert.ok(!out.includes('Canary'));
});

test('each fault is found, all of them in one run', async (t) => {
  const { file, dataDir } = devnetNode(t, await endpoint(t, `0x${'cd'.repeat(32)}`));
  await cli(['init', '--config', file]);
  chmodSync(join(dataDir, 'keys', 'node.key'), 0o644);
  chmodSync(dataDir, 0o755);
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(dataDir, `node.sqlite${suffix}`), { force: true });
  const busy = createServer().listen(0, '127.0.0.1');
  await once(busy, 'listening');
  t.after(() => busy.close());
  const { exit, levels } = await doctor(file, {
    CACHEON_STATUS_PORT: String((busy.address() as AddressInfo).port),
    CACHEON_CONSENSUS_FOLDER: join(dataDir, 'absent'),
    CACHEON_FETCH_EXTRA_CA: '/nonexistent.pem',
    CACHEON_LANES_TIMING_LOCK: '/nonexistent/lock.sqlite',
    CACHEON_KEYS_HOTKEY_URI: '',
  });
  assert.equal(exit, 78);
  const failed = Object.keys(levels).filter((name) => levels[name] === 'fail');
  assert.deepEqual(failed.sort(), [
    'certificate authorities',
    'consensus',
    'data directory',
    'database',
    'endpoint',
    'hotkey',
    'node key',
    'ports',
    'timing lock',
  ]);
});

test('an endpoint that is not there fails, and its address is shown without its key', async (t) => {
  const { file } = devnetNode(t);
  await cli(['init', '--config', file]);
  const { exit, out } = await doctor(file, { CACHEON_NETWORK_ENDPOINTS: 'ws://127.0.0.1:1/canary-key' });
  assert.equal(exit, 78);
  assert.match(out, /endpoint ws:\/\/127\.0\.0\.1:1\/\(redacted\)/);
  assert.ok(!out.includes('canary-key'));
});
