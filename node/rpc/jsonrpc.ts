import { z } from 'zod';
import { parseStrictJson } from '../../evaluator/identity/index.ts';
import { BATCH_MAX_CALLS, BODY_MAX_BYTES } from './limits.ts';
import { METHODS } from './methods.ts';
import type { StatusSource } from './types.ts';

const ERRORS = {
  parse: { code: -32_700, message: 'not JSON' },
  request: { code: -32_600, message: 'not a JSON-RPC 2.0 request' },
  method: { code: -32_601, message: 'no such method' },
  params: { code: -32_602, message: 'parameters are not those of the method, by name' },
  internal: { code: -32_603, message: 'the node could not answer' },
} as const;

type Id = string | number | null;
type Response =
  | { readonly jsonrpc: '2.0'; readonly id: Id; readonly result: unknown }
  | { readonly jsonrpc: '2.0'; readonly id: Id; readonly error: (typeof ERRORS)[keyof typeof ERRORS] };

const request = z.strictObject({
  jsonrpc: z.literal('2.0'),
  method: z.string().max(64),
  params: z.record(z.string(), z.unknown()).optional(),
  id: z.union([z.string().max(256), z.int(), z.null()]).optional(),
});

/**
 * Answers one JSON-RPC 2.0 body, a call or a batch.
 * @returns the answer to send, or null if there is none (notifications)
 */
export function answerRpc(body: Uint8Array, source: StatusSource): Response | Response[] | null {
  let value: unknown;
  try {
    value = parseStrictJson(body, BODY_MAX_BYTES);
  } catch {
    return failure(null, 'parse');
  }
  if (!Array.isArray(value)) return answerOne(value, source);
  if (value.length === 0 || value.length > BATCH_MAX_CALLS) return failure(null, 'request');
  const answers = value.map((call) => answerOne(call, source)).filter((answer) => answer !== null);
  return answers.length === 0 ? null : answers;
}

function answerOne(value: unknown, source: StatusSource): Response | null {
  const parsed = request.safeParse(value);
  if (!parsed.success) return failure(null, 'request');
  const { method: name, params = {}, id } = parsed.data;
  const answer = call(name, params, source, id ?? null);
  return id === undefined ? null : answer;
}

function call(name: string, params: unknown, source: StatusSource, id: Id): Response {
  const method = METHODS.get(name);
  if (method === undefined) return failure(id, 'method');
  try {
    const answer = method.call(params, source);
    return answer === null ? failure(id, 'params') : { jsonrpc: '2.0', id, result: answer.result };
  } catch {
    return failure(id, 'internal');
  }
}

function failure(id: Id, error: keyof typeof ERRORS): Response {
  return { jsonrpc: '2.0', id, error: ERRORS[error] };
}
