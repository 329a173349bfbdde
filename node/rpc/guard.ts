import type { IncomingMessage } from 'node:http';

/** Why a request is refused before any route sees it, or null. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** How a request came in: a Unix socket has no name that a web page could be tricked into using. */
export type Transport = 'tcp' | 'socket';

/**
 * Keeps web pages away from a loopback server: only its own names as Host (a page that rebinds its DNS name sends that
 * name), and no request that a browser sends on behalf of another page.
 */
export function judgeRequest(request: IncomingMessage, transport: Transport): Refusal | null {
  const { host, origin } = request.headers;
  if (origin !== undefined) return { status: 403, message: 'requests of web pages are refused' };
  if (transport === 'socket') return null;
  const port = request.socket.localPort;
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) {
    return { status: 421, message: 'not a name of this server' };
  }
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return { status: 403, message: 'requests of web pages are refused' };
  }
  return null;
}
