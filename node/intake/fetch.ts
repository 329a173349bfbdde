import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import { Client, type Dispatcher } from 'undici';
import { type Deadline, startDeadline } from './deadline.ts';
import { IntakeError } from './errors.ts';
import {
  ARCHIVE_MAX_BYTES,
  FETCH_IDLE_MS,
  FETCH_TOTAL_MS,
  REDIRECTS_MAX,
  RESPONSE_HEADERS_MAX_BYTES,
} from './limits.ts';
import { type HostLookup, resolveHost } from './resolve.ts';

export interface FetchOptions {
  /** Admit private addresses: devnet only. */
  readonly allowPrivate: boolean;
  /** PEM of certificate authorities trusted besides the well-known ones, or null. */
  readonly extraCa: string | null;
  readonly maxBytes?: number;
  readonly totalMs?: number;
  readonly idleMs?: number;
}

export interface FetchDependencies {
  readonly lookup: HostLookup;
}

const REDIRECT = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches one archive over https: addresses checked and pinned at every hop, bounded in bytes and time, at most 5
 * redirects. Proxies of the environment are not used, nothing is sent that names this node.
 * @throws IntakeError, always the host's or the transport's fault
 */
export async function fetchArchive(
  url: string,
  options: FetchOptions,
  dependencies: FetchDependencies,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const deadline = startDeadline(options.totalMs ?? FETCH_TOTAL_MS, options.idleMs ?? FETCH_IDLE_MS, signal);
  try {
    let at = httpsUrl(url, 'URL_REFUSED');
    for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
      const answer = await requestOnce(at, options, dependencies, deadline);
      if (answer instanceof Uint8Array) return answer;
      at = httpsUrl(answer.location, 'FETCH_REDIRECTS', at);
    }
    throw new IntakeError('FETCH_REDIRECTS', `more than ${REDIRECTS_MAX} redirects`);
  } catch (cause) {
    if (cause instanceof IntakeError) throw cause;
    if (deadline.expired()) throw new IntakeError('FETCH_DEADLINE');
    if (signal.aborted) throw new IntakeError('FETCH_ABORTED');
    // The library's message may quote the URL; its code never does.
    throw new IntakeError('FETCH_FAILED', failureName(cause));
  } finally {
    deadline.clear();
  }
}

function httpsUrl(text: string, code: 'URL_REFUSED' | 'FETCH_REDIRECTS', base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '') {
    throw new IntakeError(code);
  }
  return url;
}

async function requestOnce(
  url: URL,
  options: FetchOptions,
  dependencies: FetchDependencies,
  deadline: Deadline,
): Promise<Uint8Array | { location: string }> {
  const addresses = await resolveHost(url.hostname, options.allowPrivate, dependencies.lookup, deadline.signal);
  const client = new Client(url.origin, {
    allowH2: false,
    maxHeaderSize: RESPONSE_HEADERS_MAX_BYTES,
    // Our own deadline covers these waits; the library's have a resolution of a second.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      timeout: options.totalMs ?? FETCH_TOTAL_MS,
      lookup: pinned(addresses),
      ...(options.extraCa === null ? {} : { ca: [...rootCertificates, options.extraCa] }),
    },
  });
  try {
    const response = await client.request({
      method: 'GET',
      path: `${url.pathname}${url.search}`,
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'cacheon-node' },
      signal: deadline.signal,
    });
    deadline.progress();
    // A body that is not read ends with the client; that is no error of ours.
    response.body.on('error', () => undefined);
    if (REDIRECT.has(response.statusCode)) return { location: locationOf(response) };
    if (response.statusCode !== 200) throw new IntakeError('FETCH_STATUS', `the host answered ${response.statusCode}`);
    return await readBody(response, options.maxBytes ?? ARCHIVE_MAX_BYTES, deadline);
  } finally {
    await client.destroy().catch(() => undefined);
  }
}

/** Answers every lookup of the connection with the addresses that were checked. */
function pinned(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const first = addresses[0] as LookupAddress;
    if (all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

function locationOf(response: Dispatcher.ResponseData): string {
  const { location } = response.headers;
  if (typeof location !== 'string') throw new IntakeError('FETCH_REDIRECTS', 'a redirect without a location');
  return location;
}

async function readBody(response: Dispatcher.ResponseData, maxBytes: number, deadline: Deadline): Promise<Uint8Array> {
  const announced = Number(response.headers['content-length'] ?? 0);
  if (announced > maxBytes) throw new IntakeError('FETCH_TOO_LARGE');
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    deadline.progress();
    total += chunk.length;
    if (total > maxBytes) throw new IntakeError('FETCH_TOO_LARGE');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function failureName(cause: unknown): string | undefined {
  const { code } = cause as { code?: unknown };
  return typeof code === 'string' && /^[A-Z0-9_]{1,64}$/.test(code) ? code : undefined;
}
