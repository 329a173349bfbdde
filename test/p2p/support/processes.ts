import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { until } from './nodes.ts';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));

/** Loading all libraries takes a second or two of an idle core, and much longer of a busy one. */
const START_MS = 60_000;

export interface ChildNode {
  readonly process: ChildProcess;
  /** Everything it has said so far. */
  readonly said: Record<string, unknown>[];
  readonly errors: string[];
  /** Waits for a message with this key. */
  says(key: string, ms?: number): Promise<unknown>;
  tell(line: string): void;
}

/** Starts a node in a process of its own and waits until it listens. */
export async function startChild(name: string, members: readonly string[]): Promise<ChildNode> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', CHILD, name, ...members], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const said: Record<string, unknown>[] = [];
  const errors: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => said.push(JSON.parse(line)));
  child.stderr.on('data', (data) => errors.push(String(data)));
  const node: ChildNode = {
    process: child,
    said,
    errors,
    async says(key, ms = 20_000) {
      await until(`${name} says ${key}; ${errors.join('')}`, () => said.some((message) => key in message), ms);
      return said.find((message) => key in message)?.[key];
    },
    tell: (line) => child.stdin.write(`${line}\n`),
  };
  try {
    await node.says('address', START_MS);
    return node;
  } catch (error) {
    await kill(node);
    throw error;
  }
}

/** Ends a child with SIGKILL and waits until it is gone. */
export async function kill(child: ChildNode): Promise<void> {
  if (child.process.exitCode !== null || child.process.signalCode !== null) return;
  const gone = new Promise((resolve) => child.process.once('exit', resolve));
  child.process.kill('SIGKILL');
  await gone;
}
