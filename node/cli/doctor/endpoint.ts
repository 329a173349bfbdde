import { z } from 'zod';
import { redactUrl } from '../../../config/load/index.ts';
import { type Check, type DoctorContext, fail, ok, warn } from './types.ts';

/** Milliseconds for one endpoint to answer. */
const ENDPOINT_DEADLINE_MS = 8000;
/** Bytes of an answer that is read. */
const ANSWER_MAX_BYTES = 4096;

const genesisAnswer = z.object({ id: z.literal(1), result: z.string() });

/** Whether each endpoint answers, and for the right chain. */
export async function endpointChecks({ config, signal }: DoctorContext): Promise<Check[]> {
  const { endpoints, archive_endpoint, genesis_hash } = config.network;
  const all = archive_endpoint === null ? endpoints : [...endpoints, archive_endpoint];
  const checks = await Promise.all([...new Set(all)].map((endpoint) => endpointCheck(endpoint, genesis_hash, signal)));
  if (archive_endpoint !== null) return checks;
  return [...checks, warn('archive endpoint', 'none', 'set network.archive_endpoint: joining late needs old state')];
}

async function endpointCheck(endpoint: string, genesis: string, signal: AbortSignal): Promise<Check> {
  const name = `endpoint ${redactUrl(endpoint)}`;
  const found = await genesisOf(endpoint, AbortSignal.any([signal, AbortSignal.timeout(ENDPOINT_DEADLINE_MS)]));
  if (found === null) return fail(name, 'no answer', 'check the address and the network, or use another endpoint');
  return found === genesis
    ? ok(name, 'reachable, right chain')
    : fail(name, `another chain: genesis ${found.slice(0, 18)}`, 'correct network.endpoints or network.preset');
}

/** The genesis hash an endpoint names, or null without a proper answer before the signal. */
async function genesisOf(endpoint: string, signal: AbortSignal): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const socket = new WebSocket(endpoint);
  const giveUp = (): void => resolve(null);
  signal.addEventListener('abort', giveUp, { once: true });
  socket.addEventListener('open', () => {
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'chain_getBlockHash', params: [0] }));
  });
  socket.addEventListener('message', ({ data }) => resolve(readGenesis(data)));
  socket.addEventListener('error', giveUp);
  socket.addEventListener('close', giveUp);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', giveUp);
    socket.close();
  }
}

function readGenesis(data: unknown): string | null {
  if (typeof data !== 'string' || data.length > ANSWER_MAX_BYTES) return null;
  try {
    return genesisAnswer.parse(JSON.parse(data)).result;
  } catch {
    return null;
  }
}
