import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { CONFIG_MAX_LIST, CONFIG_MAX_TEXT, SOCKET_PATH_MAX_BYTES } from './limits.ts';

const text = z.string().min(1).max(CONFIG_MAX_TEXT);

/** An absolute path: a relative one would mean something else under systemd. */
export const absolutePath = text.refine((p) => isAbsolute(p) && !p.includes('\0'), 'must be an absolute path');

export const socketPath = absolutePath.refine(
  (p) => Buffer.byteLength(p) <= SOCKET_PATH_MAX_BYTES,
  `must be at most ${SOCKET_PATH_MAX_BYTES} bytes long (a Unix socket's limit); choose a shorter path`,
);

export const chainHash = z.string().regex(/^0x[0-9a-f]{64}$/, 'must be 0x and 64 lowercase hex digits');

export const endpoint = text.refine((value) => {
  const url = URL.parse(value);
  return url !== null && (url.protocol === 'wss:' || url.protocol === 'ws:') && url.hash === '';
}, 'must be a ws:// or wss:// URL');

/** Only shape is checked here; p2p parses it. */
export const multiaddr = text.regex(
  /^(?:\/(?:ip4|ip6|dns|dns4|dns6)\/[^/]+)(?:\/tcp\/[0-9]{1,5})(?:\/p2p\/[1-9A-HJ-NP-Za-km-z]+)?$/,
  'must be a TCP multiaddr such as /ip4/203.0.113.7/tcp/9740',
);

export const endpoints = z.array(endpoint).max(CONFIG_MAX_LIST);
export const multiaddrs = z.array(multiaddr).max(CONFIG_MAX_LIST);

/** A development key: derivation junctions of the well-known phrase, never a phrase of one's own. */
export const developmentUri = text.regex(/^(?:\/\/[0-9A-Za-z]+)+$/, 'must be a development URI such as //Validator0');
