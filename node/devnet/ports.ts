import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** Lowest port that is chosen. */
const PORT_MIN = 10_000;
/** First port that Linux gives to outgoing connections, unless it says otherwise. */
const EPHEMERAL_MIN = 32_768;
const TRIES_PER_PORT = 200;

/**
 * Ports on the loopback address that are free now and stay so until their process listens, again after a restart as
 * well: below the range that the kernel gives to outgoing connections.
 * @throws Error if there are not so many
 */
export async function freePorts(count: number): Promise<number[]> {
  const end = Math.max(PORT_MIN + count, ephemeralStart());
  const found = new Set<number>();
  for (let tries = 0; found.size < count; tries++) {
    if (tries > count * TRIES_PER_PORT) throw new Error(`no ${count} free ports from ${PORT_MIN} to ${end}`);
    const port = randomInt(PORT_MIN, end);
    if (!found.has(port) && (await isFree(port))) found.add(port);
  }
  return [...found];
}

/** First port of the range for outgoing connections. */
export function ephemeralStart(): number {
  try {
    const [first] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/);
    return Number.parseInt(first ?? '', 10) || EPHEMERAL_MIN;
  } catch {
    return EPHEMERAL_MIN;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
