import { chmod, lstat, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { statusApp } from './app.ts';
import { StatusError } from './errors.ts';
import { createMetrics } from './metrics.ts';
import type { StatusSource } from './types.ts';

export interface StatusServerOptions {
  readonly host: '127.0.0.1';
  /** 0 takes a free port. */
  readonly port: number;
  /** Path of the Unix socket. */
  readonly socket: string;
}

export interface StatusServer {
  /** The TCP port in use. */
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves JSON-RPC 2.0 (POST /), the status page, /livez, /readyz and /metrics on loopback and on a Unix socket. The
 * caller holds the data directory's lock, so a socket file that is there is a dead node's.
 * @throws StatusError STATUS_PORT, STATUS_SOCKET
 */
export async function startStatusServer(options: StatusServerOptions, source: StatusSource): Promise<StatusServer> {
  const metrics = createMetrics(source);
  const tcp = statusApp(source, metrics, 'tcp');
  const local = statusApp(source, metrics, 'socket');
  const close = async (): Promise<void> => {
    await Promise.all([tcp.close(), local.close()]);
  };
  try {
    await attempt('STATUS_PORT', `127.0.0.1:${options.port}`, async () => {
      await tcp.listen({ host: options.host, port: options.port });
    });
    await attempt('STATUS_SOCKET', options.socket, async () => {
      await removeStaleSocket(options.socket);
      await local.listen({ path: options.socket });
      await chmod(options.socket, 0o600);
    });
  } catch (error) {
    await close();
    throw error;
  }
  return { port: (tcp.server.address() as AddressInfo).port, close };
}

async function removeStaleSocket(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return;
  if (!found.isSocket()) throw new StatusError('STATUS_SOCKET', 'there is a file that is no socket', { field: path });
  await rm(path);
}

async function attempt(
  code: 'STATUS_PORT' | 'STATUS_SOCKET',
  field: string,
  action: () => Promise<void>,
): Promise<void> {
  try {
    await action();
  } catch (cause) {
    if (cause instanceof StatusError) throw cause;
    throw new StatusError(code, (cause as NodeJS.ErrnoException).code, { field, cause });
  }
}
