import { ChainError } from '../errors.ts';

export interface Endpoint {
  readonly url: string;
  /** Scheme and host only: user, path and query can hold credentials. */
  readonly label: string;
}

/** Checks configured endpoint URLs; ENDPOINT_MALFORMED names the index, never the URL. */
export function parseEndpoints(urls: readonly string[]): readonly Endpoint[] {
  if (urls.length === 0) throw new ChainError('ENDPOINT_MALFORMED', 'no endpoint', { field: 'endpoints' });
  return urls.map((url, index) => {
    const parsed = URL.canParse(url) ? new URL(url) : null;
    if (parsed === null || !['ws:', 'wss:'].includes(parsed.protocol)) {
      throw new ChainError('ENDPOINT_MALFORMED', undefined, { field: `endpoints[${index}]` });
    }
    return { url, label: `${parsed.protocol}//${parsed.host}` };
  });
}
