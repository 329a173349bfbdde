import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { EXIT } from '../../config/errors.ts';

/** A daemon that dies is started again after so long, milliseconds. */
const RESTART_DELAY_MS = 1000;
/** From SIGTERM to SIGKILL at the end, milliseconds. */
const STOP_GRACE_MS = 4000;

export interface ProcessSpec {
  readonly name: string;
  /** Arguments for Node: entry file and its own. */
  readonly argv: readonly string[];
  readonly logFile: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called for every line of standard output. */
  readonly onLine?: (line: string) => void;
}

export interface SupervisorEvents {
  started(name: string, pid: number, restarts: number): void;
  /** A process ended on its own; `final` if it is not started again (exit 78, or 0). */
  ended(name: string, code: number | null, signal: string | null, final: boolean): void;
}

/**
 * Runs the devnet's processes: starts a dead one again after a second, except after exit 78 (the operator must act)
 * and after 0 (it was done). Children hold a pipe from us as standard input and end when it closes, so that none
 * outlives us even after kill -9.
 */
export class Supervisor {
  readonly #events: SupervisorEvents;
  readonly #children = new Map<string, ChildProcess>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #stopping = false;

  constructor(events: SupervisorEvents) {
    this.#events = events;
  }

  /** Starts a process and keeps it alive. Nothing is started after `stop`. */
  start(spec: ProcessSpec, restarts = 0): void {
    if (this.#stopping) return;
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...spec.argv], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...spec.env, CACHEON_END_WITH_STDIN: '1' },
      // Its own group: Ctrl-C reaches us alone, and we end everybody in order.
      detached: true,
    });
    this.#children.set(spec.name, child);
    child.stdin?.on('error', () => undefined);
    const log = createWriteStream(spec.logFile, { flags: 'a' });
    child.stderr?.pipe(log, { end: false });
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      log.write(`${line}\n`);
      spec.onLine?.(line);
    });
    child.once('spawn', () => this.#events.started(spec.name, child.pid as number, restarts));
    child.once('error', () => this.#ended(spec, null, 'spawn failed', restarts));
    child.once('exit', (code, signal) => this.#ended(spec, code, signal, restarts));
  }

  /** Process id of a running process, or null. */
  pid(name: string): number | null {
    return this.#children.get(name)?.pid ?? null;
  }

  /** Ends every process: SIGTERM, then SIGKILL to its group. Resolves when none is left. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const timer of this.#timers) clearTimeout(timer);
    const waits = [...this.#children.values()].map((child) => this.#end(child));
    await Promise.all(waits);
  }

  #ended(spec: ProcessSpec, code: number | null, signal: string | null, restarts: number): void {
    if (!this.#children.delete(spec.name) || this.#stopping) return;
    const final = code === EXIT.operator || code === EXIT.done;
    this.#events.ended(spec.name, code, signal, final);
    if (final) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.start(spec, restarts + 1);
    }, RESTART_DELAY_MS);
    this.#timers.add(timer);
  }

  async #end(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    signalGroup(child, 'SIGTERM');
    const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), STOP_GRACE_MS);
    await gone;
    clearTimeout(timer);
    // Whatever of its group is left, lanes included.
    signalGroup(child, 'SIGKILL');
  }
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone.
  }
}

/** What a child says in one JSON line; null for any other line. */
export function readLine<T>(line: string): Partial<T> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Partial<T>) : null;
  } catch {
    return null;
  }
}
