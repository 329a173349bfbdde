import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type FastifyInstance, fastify } from 'fastify';
import { judgeRequest, type Transport } from './guard.ts';
import { answerRpc } from './jsonrpc.ts';
import { BODY_MAX_BYTES, CONNECTIONS_MAX, REQUEST_TIMEOUT_MS } from './limits.ts';
import type { Metrics } from './metrics.ts';
import type { StatusSource } from './types.ts';

const PAGE = new URL('../page/', import.meta.url);
const PAGE_FILES = [
  ['/', 'index.html', 'text/html; charset=utf-8'],
  ['/page.css', 'page.css', 'text/css; charset=utf-8'],
  ['/page.js', 'page.js', 'text/javascript; charset=utf-8'],
] as const;

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** The status server for one transport; the caller makes it listen. */
export function statusApp(source: StatusSource, metrics: Metrics, transport: Transport): FastifyInstance {
  const app = fastify({
    bodyLimit: BODY_MAX_BYTES,
    logger: false,
    forceCloseConnections: true,
    serverFactory: (handler) => {
      const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
        const refusal = judgeRequest(request, transport);
        if (refusal === null) return handler(request, response);
        response.writeHead(refusal.status, { ...HEADERS, 'content-type': 'text/plain', connection: 'close' });
        response.end(`${refusal.message}\n`);
      });
      server.maxConnections = CONNECTIONS_MAX;
      return server;
    },
  });
  app.addHook('onSend', async (_request, reply) => {
    reply.headers(HEADERS);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, _request, reply) => {
    const status = (error as { statusCode?: number }).statusCode ?? 500;
    return reply.code(status).send({ error: status === 500 ? 'the node could not answer' : 'bad request' });
  });
  addRoutes(app, source, metrics);
  return app;
}

function addRoutes(app: FastifyInstance, source: StatusSource, metrics: Metrics): void {
  app.post('/', async (request, reply) => {
    const answer = answerRpc(request.body as Uint8Array, source);
    return answer === null ? reply.code(204).send() : answer;
  });
  app.get('/status.json', async () => source.status());
  // Alive means that this process answers. It must not depend on the chain: an outage there would restart every node.
  app.get('/livez', async () => ({ live: true }));
  app.get('/readyz', async (_request, reply) => {
    const health = source.health();
    return reply.code(health.ready ? 200 : 503).send(health);
  });
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.render()));
  for (const [path, file, type] of PAGE_FILES) {
    const text = readFileSync(new URL(file, PAGE), 'utf8');
    app.get(path, async (_request, reply) => reply.type(type).send(text));
  }
}
