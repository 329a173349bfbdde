import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { contentHash } from '../../../evaluator/identity/index.ts';
import {
  type FetchDependencies,
  type FetchOptions,
  fetchArchive,
  IntakeError,
  intakeBundle,
  readFetchOptions,
} from '../../../node/intake/index.ts';
import { temporaryFolder } from '../store/support.ts';
import { testCertificates } from './certificates.ts';
import { archive } from './tar.ts';

const BUNDLE = archive({ name: 'bundle/manifest.toml', data: 'x = 1' });
const HASH = contentHash([{ path: 'manifest.toml', data: Buffer.from('x = 1') }]);
const signal = AbortSignal.timeout(20_000);

let server: Server;
let port: number;
let ca: string;
let requests: string[];

/** What each path of the test host does. */
const ROUTES: Record<string, (response: ServerResponse, request: IncomingMessage) => void> = {
  '/bundle': (response) => response.end(BUNDLE),
  '/redirect': (response) => redirect(response, '/bundle'),
  '/loop': (response) => redirect(response, '/loop'),
  '/to-http': (response) => redirect(response, `http://localhost:${port}/bundle`),
  '/to-private': (response) => redirect(response, `https://private.test:${port}/bundle`),
  '/to-credentials': (response) => redirect(response, `https://canary:canary@localhost:${port}/bundle`),
  '/nowhere': (response) => response.writeHead(302).end(),
  '/missing': (response) => response.writeHead(404).end('no'),
  '/announced': (response) => {
    // It never comes: the announcement alone must end the fetch.
    response.writeHead(200, { 'content-length': '5000' }).write('x');
  },
  '/endless': (response) => {
    const send = (): void => {
      if (!response.destroyed) response.write(Buffer.alloc(600), () => setImmediate(send));
    };
    send();
  },
  '/silent': () => undefined,
  '/stalled': (response) => {
    response.writeHead(200).write('some');
  },
  '/cut': (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('some', () => response.destroy());
  },
  '/headers': (response) => response.writeHead(200, { 'x-big': 'h'.repeat(20_000) }).end(),
  '/seen': (response, request) => response.end(JSON.stringify(request.headers)),
};

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location }).end();
}

before(async () => {
  const certificates = await testCertificates(['localhost', 'public.test', 'private.test', '127.0.0.1']);
  ca = certificates.ca;
  requests = [];
  server = createServer({ cert: certificates.cert, key: certificates.key }, (request, response) => {
    requests.push(`${request.headers.host} ${request.url}`);
    ROUTES[request.url ?? '']?.(response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});

after(() => {
  server.closeAllConnections();
  server.close();
});

/** Resolves every name to the test host. */
const lookup = async () => [{ address: '127.0.0.1', family: 4 }];

const get = (path: string, options: Partial<FetchOptions> = {}, deps: FetchDependencies = { lookup }) =>
  fetchArchive(
    `https://localhost:${port}${path}`,
    { allowPrivate: true, extraCa: ca, maxBytes: 4096, totalMs: 10_000, idleMs: 10_000, ...options },
    deps,
    signal,
  );

test('a bundle is fetched, unpacked and compared with the reservation', async () => {
  const options = { allowPrivate: true, extraCa: ca };
  const url = `https://localhost:${port}/redirect`;
  const files = await intakeBundle({ url, contentHash: HASH }, options, { lookup }, signal);
  assert.deepEqual(
    files.map((f) => f.path),
    ['manifest.toml'],
  );
  const other = { url, contentHash: 'ab'.repeat(32) };
  await assert.rejects(intakeBundle(other, options, { lookup }, signal), {
    code: 'CONTENT_HASH_MISMATCH',
    fault: 'infrastructure',
  });
  assert.ok((await get('/redirect')).length > 0);
});

test('the connection goes to the addresses that were checked: no second look at the DNS', async () => {
  let lookups = 0;
  const counting = async () => {
    lookups++;
    return lookup();
  };
  // A name that no resolver of this host knows: only the addresses that were checked can lead there.
  const url = `https://public.test:${port}/bundle`;
  await fetchArchive(url, { allowPrivate: true, extraCa: ca }, { lookup: counting }, signal);
  assert.equal(lookups, 1);
});

test('redirects: private, plain http, with credentials, without end, to nowhere', async () => {
  const before = requests.length;
  // Everything but the first host has an address that is never admitted.
  const poisoned = async (hostname: string) => [
    { address: hostname === 'localhost' ? '127.0.0.1' : '224.0.0.1', family: 4 },
  ];
  await assert.rejects(get('/to-private', {}, { lookup: poisoned }), { code: 'ADDRESS_REFUSED' });
  assert.deepEqual(requests.slice(before), [`localhost:${port} /to-private`]);
  await assert.rejects(get('/to-http'), { code: 'FETCH_REDIRECTS' });
  await assert.rejects(get('/to-credentials'), (error) => {
    assert.ok(error instanceof IntakeError && error.code === 'FETCH_REDIRECTS');
    assert.ok(!`${error.message}${error.stack}${String(error.cause)}`.includes('canary'));
    return true;
  });
  await assert.rejects(get('/nowhere'), { code: 'FETCH_REDIRECTS' });
  requests.length = 0;
  await assert.rejects(get('/loop'), { code: 'FETCH_REDIRECTS' });
  assert.equal(requests.length, 6);
});

test('private addresses are refused before a connection is made', async () => {
  requests.length = 0;
  await assert.rejects(get('/bundle', { allowPrivate: false }), { code: 'ADDRESS_REFUSED' });
  const urls = [
    `https://127.0.0.1:${port}/bundle`,
    `https://2130706433:${port}/`,
    `https://[::ffff:127.0.0.1]:${port}/`,
  ];
  for (const url of urls) {
    const options = { allowPrivate: false, extraCa: ca };
    await assert.rejects(fetchArchive(url, options, { lookup }, signal), { code: 'ADDRESS_REFUSED' }, url);
  }
  assert.deepEqual(requests, []);
});

test('an unknown authority and a certificate for another name are refused', async () => {
  await assert.rejects(get('/bundle', { extraCa: null }), { code: 'FETCH_FAILED' });
  const options = { allowPrivate: true, extraCa: ca };
  await assert.rejects(fetchArchive(`https://other.test:${port}/bundle`, options, { lookup }, signal), {
    code: 'FETCH_FAILED',
  });
});

test('bounds: announced size, endless body, large headers, silence, pauses, total time', async () => {
  await assert.rejects(get('/announced'), { code: 'FETCH_TOO_LARGE' });
  await assert.rejects(get('/endless'), { code: 'FETCH_TOO_LARGE' });
  await assert.rejects(get('/headers'), { code: 'FETCH_FAILED' });
  await assert.rejects(get('/silent', { idleMs: 100 }), { code: 'FETCH_DEADLINE' });
  await assert.rejects(get('/stalled', { idleMs: 100 }), { code: 'FETCH_DEADLINE' });
  await assert.rejects(get('/endless', { totalMs: 200, maxBytes: 1e12 }), { code: 'FETCH_DEADLINE' });
  await assert.rejects(get('/cut'), { code: 'FETCH_FAILED' });
  await assert.rejects(get('/missing'), { code: 'FETCH_STATUS' });
});

test('the caller can give up, and bad URLs are refused without being quoted', async () => {
  const options = { allowPrivate: true, extraCa: ca };
  await assert.rejects(fetchArchive(`https://localhost:${port}/silent`, options, { lookup }, AbortSignal.abort()), {
    code: 'FETCH_ABORTED',
  });
  const controller = new AbortController();
  const waiting = fetchArchive(`https://localhost:${port}/silent`, options, { lookup }, controller.signal);
  setImmediate(() => controller.abort());
  await assert.rejects(waiting, { code: 'FETCH_ABORTED' });
  for (const url of [
    'http://localhost/canary',
    'ftp://x/canary',
    'https://a:canary@localhost/',
    'canary',
    'https://..canary../\\',
  ]) {
    await assert.rejects(fetchArchive(url, options, { lookup: () => Promise.reject(new Error()) }, signal), (error) => {
      assert.ok(error instanceof IntakeError && !error.message.includes('canary'));
      return true;
    });
  }
});

test('a request names neither this node nor its host', async () => {
  const headers = JSON.parse(Buffer.from(await get('/seen')).toString()) as Record<string, string>;
  assert.deepEqual(Object.keys(headers).sort(), ['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
  assert.equal(headers['user-agent'], 'cacheon-node');
});

test('the configured authorities are read once, at start', (t) => {
  const path = join(temporaryFolder(t), 'ca.pem');
  const options = { allow_private: true, extra_ca: path };
  assert.throws(() => readFetchOptions(options), { code: 'EXTRA_CA_UNREADABLE', fault: 'operator' });
  writeFileSync(path, 'no certificate');
  assert.throws(() => readFetchOptions(options), { code: 'EXTRA_CA_UNREADABLE' });
  writeFileSync(path, ca);
  assert.deepEqual(readFetchOptions(options), { allowPrivate: true, extraCa: ca });
  assert.deepEqual(readFetchOptions({ allow_private: false, extra_ca: null }), { allowPrivate: false, extraCa: null });
});
