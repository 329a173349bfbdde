import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { StatusError } from './errors.ts';

/** Milliseconds for a node on this host to answer. */
const ANSWER_TIMEOUT_MS = 5000;

const answer = z.union([
  z.object({ id: z.literal(1), result: z.unknown() }).required(),
  z.object({ id: z.literal(1).nullable(), error: z.object({ code: z.int(), message: z.string() }) }),
]);

/**
 * Calls one method of a node.
 * @param address path of its Unix socket, or `http://host:port` of its loopback address
 * @throws StatusError STATUS_UNREACHABLE, STATUS_ANSWER
 */
export async function callStatus(address: string, method: string, params: object = {}): Promise<unknown> {
  const text = await post(address, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const parsed = answer.safeParse(parse(text));
  if (!parsed.success) throw new StatusError('STATUS_ANSWER');
  if ('error' in parsed.data) throw new StatusError('STATUS_ANSWER', parsed.data.error.message, { field: method });
  return parsed.data.result;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Where a request goes: a path is a socket, `http://` an address; anything else no node can be at. */
function placeOf(
  address: string,
): { readonly socketPath: string } | { readonly hostname: string; readonly port: string } {
  if (!/^[a-z]+:\/\//.test(address)) return { socketPath: address };
  const url = URL.parse(address);
  if (url?.protocol !== 'http:' || url.username !== '') {
    throw new StatusError('STATUS_UNREACHABLE', 'a socket path or http://host:port', { field: 'status' });
  }
  return { hostname: url.hostname, port: url.port };
}

function post(address: string, body: string): Promise<string> {
  const place = placeOf(address);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const call = request({ ...place, method: 'POST', path: '/', headers, signal, agent: false }, (response) => {
    buffer(response).then((bytes) => resolve(bytes.toString('utf8')), reject);
  });
  call.on('error', (cause) => {
    const code = (cause as NodeJS.ErrnoException).code;
    reject(
      new StatusError('STATUS_UNREACHABLE', code === undefined ? undefined : `no answer (${code})`, {
        field: address,
        cause,
      }),
    );
  });
  call.end(body);
  return promise;
}
