import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

export interface Ready {
  readonly process: ChildProcess;
  readonly url: string;
  readonly genesis: string;
}

export interface Ended {
  readonly code: number | null;
  readonly stderr: string;
}

/** Starts the chain as a process of its own, with its configuration in `directory`. */
export function launch(directory: string, config: object): ChildProcess {
  const path = join(directory, 'config.json');
  writeFileSync(path, JSON.stringify(config));
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'chain/dev/main.ts', '--config', path], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Waits for the ready line. */
export async function ready(child: ChildProcess): Promise<Ready> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const message = JSON.parse(line) as { type: string; port: number; genesis: string };
    if (message.type === 'ready') {
      return { process: child, url: `ws://127.0.0.1:${message.port}`, genesis: message.genesis };
    }
  }
  throw new Error('the process ended before it was ready');
}

/** Waits for the end of a process that is expected to refuse to start. */
export async function ended(child: ChildProcess): Promise<Ended> {
  let stderr = '';
  child.stderr!.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const [code] = await once(child, 'close');
  return { code: code as number | null, stderr };
}

/** kill -9, as a power cut would. */
export async function killHard(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'close');
  child.kill('SIGKILL');
  await gone;
}
