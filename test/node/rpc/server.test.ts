import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { callStatus, type StatusSource, startStatusServer } from '../../../node/rpc/index.ts';
import { temporaryFolder } from '../store/support.ts';
import { fixedSource, STATUS } from './source.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

async function start(t: TestContext, source: StatusSource = fixedSource()) {
  const socket = join(temporaryFolder(t), 'status.sock');
  const server = await startStatusServer({ host: '127.0.0.1', port: 0, socket }, source);
  t.after(() => server.close());
  const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: server.port, method, path, headers, agent: false };
      const call = httpRequest(options, (response) => {
        buffer(response).then((bytes) => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: bytes.toString() });
        }, reject);
      });
      call.on('error', reject).end(body);
    });
  const json = { 'content-type': 'application/json' };
  const rpc = async (body: unknown): Promise<unknown> => {
    const { text } = await ask('POST', '/', json, typeof body === 'string' ? body : JSON.stringify(body));
    return text === '' ? null : JSON.parse(text);
  };
  return { server, socket, ask, rpc, json };
}

test('the same calls over HTTP and over the Unix socket', async (t) => {
  const { rpc, socket } = await start(t);
  assert.deepEqual(await rpc({ jsonrpc: '2.0', id: 'x', method: 'status' }), {
    jsonrpc: '2.0',
    id: 'x',
    result: STATUS,
  });
  assert.deepEqual(await callStatus(socket, 'status'), STATUS);
  assert.deepEqual(await callStatus(socket, 'weights'), STATUS.weights);
  for (const method of ['health', 'peers', 'cohort', 'queue', 'journal', 'records', 'events', 'version']) {
    await callStatus(socket, method);
  }
  await assert.rejects(callStatus(socket, 'shutdown'), { code: 'STATUS_ANSWER' });
  await assert.rejects(callStatus(join(socket, 'absent'), 'status'), {
    code: 'STATUS_UNREACHABLE',
    fault: 'infrastructure',
  });
  assert.equal(statSync(socket).mode & 0o777, 0o600);
});

test('JSON-RPC 2.0: errors, notifications, batches, closed parameters', async (t) => {
  const source = fixedSource();
  const { rpc } = await start(t, source);
  const code = async (body: unknown): Promise<unknown> =>
    ((await rpc(body)) as { error?: { code: number } }).error?.code;
  const call = { jsonrpc: '2.0', id: 1, method: 'journal' };
  assert.equal(await code('{"jsonrpc":'), -32_700);
  assert.equal(await code('{"jsonrpc":"2.0","id":1,"id":2,"method":"status"}'), -32_700);
  for (const bad of [
    5,
    {},
    { ...call, jsonrpc: '1.0' },
    { ...call, id: {} },
    { ...call, extra: 1 },
    { ...call, params: [1] },
    [],
  ]) {
    assert.equal(await code(bad), -32_600, JSON.stringify(bad));
  }
  assert.equal(await code(Array.from({ length: 17 }, () => call)), -32_600);
  assert.equal(await code({ ...call, method: 'constructor' }), -32_601);
  for (const params of [{ limit: 0 }, { limit: 201 }, { before: -1 }, { before: '1' }, { other: 1 }]) {
    assert.equal(await code({ ...call, params }), -32_602, JSON.stringify(params));
  }
  assert.equal(await code({ ...call, method: 'status', params: { verbose: 1 } }), -32_602);
  assert.deepEqual(source.pages, []);
  await rpc({ ...call, params: { before: 9, limit: 3 } });
  await rpc(call);
  assert.deepEqual(source.pages, [
    { before: 9, limit: 3 },
    { before: null, limit: 50 },
  ]);

  for (const params of [{ after: -1 }, { before: 1 }, { limit: 201 }]) {
    assert.equal(await code({ ...call, method: 'events', params }), -32_602, JSON.stringify(params));
  }
  assert.equal(await rpc({ jsonrpc: '2.0', method: 'status' }), null);
  const batch = (await rpc([call, { jsonrpc: '2.0', method: 'status' }, { ...call, id: 2, method: 'no' }])) as {
    id: number;
  }[];
  assert.deepEqual(
    batch.map((answer) => answer.id),
    [1, 2],
  );
});

test('a failing source is an internal error without its text', async (t) => {
  const source = fixedSource({
    status: () => {
      throw new Error('canary');
    },
  });
  const { rpc, ask } = await start(t, source);
  const answer = JSON.stringify(await rpc({ jsonrpc: '2.0', id: 1, method: 'status' }));
  assert.ok(answer.includes('-32603') && !answer.includes('canary'));
  const page = await ask('GET', '/status.json');
  assert.ok(page.status === 500 && !page.text.includes('canary'));
});

test('web pages are kept out: Host, Origin, Sec-Fetch-Site, content type, size, no CORS', async (t) => {
  const { server, ask, json } = await start(t);
  const own = `127.0.0.1:${server.port}`;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'version' });
  for (const host of [own, `localhost:${server.port}`]) {
    assert.equal((await ask('POST', '/', { ...json, host }, body)).status, 200, host);
  }
  for (const host of [
    'evil.example',
    `evil.example:${server.port}`,
    '127.0.0.1',
    '127.0.0.1:1',
    `127.0.0.1.evil.example:${server.port}`,
  ]) {
    for (const path of ['/', '/metrics', '/livez', '/no-such-path']) {
      const answer = await ask('GET', path, { host });
      assert.deepEqual([answer.status, answer.text], [421, 'not a name of this server\n'], `${host}${path}`);
    }
  }
  for (const origin of ['https://evil.example', 'null', `http://${own}`]) {
    const answer = await ask('POST', '/', { ...json, origin }, body);
    assert.equal(answer.status, 403, origin);
    assert.equal(answer.headers['access-control-allow-origin'], undefined);
  }
  assert.equal((await ask('OPTIONS', '/', { origin: 'https://evil.example' })).status, 403);
  assert.equal((await ask('GET', '/status.json', { 'sec-fetch-site': 'cross-site' })).status, 403);
  assert.equal((await ask('GET', '/status.json', { 'sec-fetch-site': 'same-origin' })).status, 200);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', '']) {
    assert.equal((await ask('POST', '/', type === '' ? {} : { 'content-type': type }, body)).status, 415, type);
  }
  assert.equal((await ask('POST', '/', json, ' '.repeat(70_000))).status, 413);
});

test('probes, metrics and the page', async (t) => {
  let ready = true;
  const source = fixedSource({ health: () => ({ ready, checks: [{ name: 'chain', ok: ready, detail: 'stalled' }] }) });
  const { ask } = await start(t, source);
  assert.equal((await ask('GET', '/livez')).status, 200);
  assert.equal((await ask('GET', '/readyz')).status, 200);
  ready = false;
  const notReady = await ask('GET', '/readyz');
  assert.equal(notReady.status, 503);
  assert.match(notReady.text, /stalled/);
  assert.equal((await ask('GET', '/livez')).status, 200);

  const metrics = await ask('GET', '/metrics');
  assert.match(metrics.headers['content-type'] ?? '', /^text\/plain/);
  for (const line of [
    'cacheon_finalized_height 120',
    'cacheon_queue_length 7',
    'cacheon_ready 0',
    'cacheon_phase{phase="idle"} 1',
    'cacheon_trouble{code="NO_QUORUM",blocking="false"} 1',
  ]) {
    assert.ok(metrics.text.split('\n').includes(line), line);
  }
  // Unknown is absent, not zero.
  assert.doesNotMatch(metrics.text, /^cacheon_cohort_index/m);

  const page = await ask('GET', '/');
  const policy = String(page.headers['content-security-policy']);
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|\*/);
  for (const [, path] of page.text.matchAll(/(?:src|href)="([^"]*)"/g)) {
    assert.equal((await ask('GET', path as string)).status, 200, path);
  }
  const script = (await ask('GET', '/page.js')).text;
  assert.doesNotMatch(script, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|https?:/);
  for (const [, id] of script.matchAll(/(?:table|byId)\('([a-z]+)'/g)) assert.ok(page.text.includes(`id="${id}"`), id);
});

test('a stale socket is replaced, a file is not; a taken port is an operator error', async (t) => {
  const { server } = await start(t);
  const folder = temporaryFolder(t);
  const socket = join(folder, 's.sock');
  const first = await startStatusServer({ host: '127.0.0.1', port: 0, socket }, fixedSource());
  const second = await startStatusServer({ host: '127.0.0.1', port: 0, socket }, fixedSource());
  await callStatus(socket, 'version');
  await second.close();
  await first.close();
  await assert.rejects(startStatusServer({ host: '127.0.0.1', port: server.port, socket }, fixedSource()), {
    code: 'STATUS_PORT',
    fault: 'operator',
  });
  const file = join(folder, 'file');
  writeFileSync(file, 'mine');
  await assert.rejects(startStatusServer({ host: '127.0.0.1', port: 0, socket: file }, fixedSource()), {
    code: 'STATUS_SOCKET',
  });
  assert.equal(statSync(file).size, 4);
});

test('closing does not wait for a connection that says nothing', async (t) => {
  const { server } = await start(t);
  const idle = connect(server.port, '127.0.0.1');
  t.after(() => idle.destroy());
  idle.on('error', () => undefined);
  await new Promise((resolve) => idle.once('connect', resolve));
  await server.close();
});
