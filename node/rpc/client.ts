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
 * Calls one method of the node that listens on a Unix socket.
 * @throws StatusError STATUS_UNREACHABLE, STATUS_ANSWER
 */
export async function callStatus(socket: string, method: string, params: object = {}): Promise<unknown> {
  const text = await post(socket, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
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

function post(socketPath: string, body: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const call = request({ socketPath, method: 'POST', path: '/', headers, signal, agent: false }, (response) => {
    buffer(response).then((bytes) => resolve(bytes.toString('utf8')), reject);
  });
  call.on('error', (cause) => {
    const code = (cause as NodeJS.ErrnoException).code;
    reject(
      new StatusError('STATUS_UNREACHABLE', code === undefined ? undefined : `no answer (${code})`, {
        field: socketPath,
        cause,
      }),
    );
  });
  call.end(body);
  return promise;
}
