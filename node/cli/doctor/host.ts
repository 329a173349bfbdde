import { once } from 'node:events';
import { createServer } from 'node:net';
import { detectSandbox } from '../../../native/sandbox/index.ts';
import { type Check, type DoctorContext, fail, ok, warn } from './types.ts';

/** Major version of Node this project runs on (`scripts/node24`). */
export const NODE_MAJOR = 24;

export function nodeVersionCheck(): Check {
  const version = process.versions.node;
  return Number(version.split('.')[0]) === NODE_MAJOR
    ? ok('node', version)
    : fail('node', version, `run it through scripts/node24: Node ${NODE_MAJOR} is needed`);
}

/** How candidates are kept from the network on this host (`wasm-arena.md` section 6). */
export async function sandboxCheck({ signal }: DoctorContext): Promise<Check> {
  const { kind, tools } = await detectSandbox(signal);
  const detail = `${kind}${tools.setpriv === null ? ', without setpriv' : ''}`;
  return kind === 'plain'
    ? warn('lane sandbox', detail, 'install bubblewrap, or allow unprivileged user namespaces')
    : ok('lane sandbox', detail);
}

/** The ports the node will listen on; a running node has them itself. */
export async function portsCheck({ config, running }: DoctorContext): Promise<Check> {
  const p2p = config.p2p.listen.map((address) => Number(/\/tcp\/([0-9]+)/.exec(address)?.[1] ?? 0));
  const ports = [...new Set([config.status.port, ...p2p])].filter((port) => port !== 0);
  if (running) return ok('ports', `${ports.join(', ')} (the node is running)`);
  const taken: number[] = [];
  for (const port of ports) if (!(await isFree(port))) taken.push(port);
  return taken.length === 0
    ? ok('ports', `${ports.join(', ')} are free`)
    : fail('ports', `${taken.join(', ')} in use`, 'stop the other program, or choose other ports');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
