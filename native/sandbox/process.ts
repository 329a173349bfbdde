import { type ChildProcess, spawn } from 'node:child_process';
import { encodeFrame, type Frame, FrameReader } from '../wire/frame.ts';
import type { Command } from './command.ts';
import { cpuSeconds, residentBytes } from './usage.ts';

/** Between two looks at the resident memory, milliseconds. */
const RESIDENT_INTERVAL_MS = 100;
/** Error text kept from a process before it serves anything, bytes. */
const STDERR_MAX_BYTES = 2048;
/** Time for a killed process to be gone, milliseconds. */
const KILL_DEADLINE_MS = 5_000;

/**
 * Why a process is of no use any more. `malformed`: bytes that are no frame. `unexpected`: a frame that nothing asked
 * for, early, late or of another sequence. `aborted`: the caller's signal. `memory`: over its resident limit.
 */
export type EndReason = 'spawn' | 'died' | 'malformed' | 'unexpected' | 'aborted' | 'memory' | 'closed';

interface EndFacts {
  readonly exitCode?: number | null;
  readonly exitSignal?: string | null;
  readonly cpuSeconds?: number;
}

export class ProcessEnd extends Error {
  readonly reason: EndReason;
  readonly exitSignal: string | null;
  readonly exitCode: number | null;
  /** CPU time that it had used when it was aborted, seconds; null for every other end. */
  readonly cpuSeconds: number | null;

  constructor(reason: EndReason, message: string, facts: EndFacts = {}) {
    super(message);
    this.reason = reason;
    this.exitCode = facts.exitCode ?? null;
    this.exitSignal = facts.exitSignal ?? null;
    this.cpuSeconds = facts.cpuSeconds ?? null;
  }
}

export interface Answered {
  readonly frame: Frame;
  /** From just before the request was written until its answer was complete, monotonic nanoseconds. */
  readonly elapsedNs: bigint;
}

interface Pending {
  readonly sequence: number;
  readonly startedNs: bigint;
  readonly resolve: (answer: Answered) => void;
  readonly reject: (end: ProcessEnd) => void;
}

/**
 * A sandboxed process that answers frames, one at a time. Whatever goes wrong ends it: it is killed, the waiting
 * request is rejected with a ProcessEnd, and so is every later one. Nothing it sends can throw into the host.
 */
export class FramedProcess {
  readonly #child: ChildProcess;
  readonly #gone: Promise<void>;
  readonly #reader = new FrameReader();
  #pending: Pending | null = null;
  #sequence = 0;
  #end: ProcessEnd | null = null;
  #watch: NodeJS.Timeout | null = null;
  #stderr = '';

  /** Starts the command with an empty environment. Its first frame (sequence 0) is awaited with `hello`. */
  constructor(command: Command, residentLimitBytes: number | null) {
    this.#child = spawn(command.file, command.args, { env: {}, cwd: '/', stdio: ['pipe', 'pipe', 'pipe'] });
    this.#gone = new Promise((resolve) => {
      this.#child.once('close', () => resolve());
    });
    this.#child.once('error', (error) => this.#finish(new ProcessEnd('spawn', error.message)));
    this.#child.once('exit', (code, signal) => {
      // What it wrote before it died may still be in the pipe; `close` follows when that has been read.
      const facts = { exitCode: code, exitSignal: signal };
      this.#child.once('close', () => this.#finish(new ProcessEnd('died', this.#last(code, signal), facts)));
    });
    // A dead child's pipe reports EPIPE here; its death is reported above.
    this.#child.stdin?.on('error', () => {});
    this.#child.stdout?.on('data', (chunk: Uint8Array) => this.#receive(chunk));
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      if (this.#sequence === 0) this.#stderr = (this.#stderr + chunk.toString('latin1')).slice(0, STDERR_MAX_BYTES);
    });
    if (residentLimitBytes !== null) this.#watchResident(residentLimitBytes);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Waits for the frame that the program sends by itself when it has started. */
  hello(signal: AbortSignal): Promise<Answered> {
    return this.#expect(0, null, signal);
  }

  /**
   * Sends one request and waits for its answer.
   * @throws FrameError if the request is too long; @rejects ProcessEnd
   */
  request(kind: number, json: unknown, parts: readonly Uint8Array[], signal: AbortSignal): Promise<Answered> {
    const sequence = this.#sequence + 1;
    const bytes = encodeFrame(kind, sequence, JSON.stringify(json), parts);
    this.#sequence = sequence;
    return this.#expect(sequence, bytes, signal);
  }

  /** Kills the process and waits until it, and everything that holds its pipes, is gone. Idempotent. */
  async close(): Promise<void> {
    this.#finish(new ProcessEnd('closed', 'closed by the host'));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, KILL_DEADLINE_MS);
    });
    await Promise.race([this.#gone, late]);
    clearTimeout(timer);
  }

  #expect(sequence: number, bytes: Uint8Array | null, signal: AbortSignal): Promise<Answered> {
    if (this.#end !== null) return Promise.reject(this.#end);
    if (this.#pending !== null) return Promise.reject(new ProcessEnd('unexpected', 'another request is waiting'));
    return new Promise<Answered>((resolve, reject) => {
      const onAbort = () => {
        this.#finish(new ProcessEnd('aborted', 'aborted by the host', { cpuSeconds: cpuSeconds(this.pid) }));
      };
      const settled = <T>(then: (value: T) => void) => {
        return (value: T) => {
          signal.removeEventListener('abort', onAbort);
          then(value);
        };
      };
      const startedNs = process.hrtime.bigint();
      this.#pending = { sequence, startedNs, resolve: settled(resolve), reject: settled(reject) };
      if (signal.aborted) {
        onAbort();
        return;
      }
      signal.addEventListener('abort', onAbort, { once: true });
      if (bytes !== null) this.#child.stdin?.write(bytes);
    });
  }

  #receive(chunk: Uint8Array): void {
    if (this.#end !== null) return;
    try {
      this.#reader.push(chunk, (frame) => this.#answer(frame));
    } catch (error) {
      this.#finish(new ProcessEnd('malformed', error instanceof Error ? error.message : 'malformed frame'));
    }
  }

  #answer(frame: Frame): void {
    const now = process.hrtime.bigint();
    const pending = this.#pending;
    if (pending === null || frame.sequence !== pending.sequence) {
      this.#finish(new ProcessEnd('unexpected', 'a frame that was not asked for'));
      return;
    }
    this.#pending = null;
    pending.resolve({ frame, elapsedNs: now - pending.startedNs });
  }

  #finish(end: ProcessEnd): void {
    if (this.#end !== null) return;
    this.#end = end;
    if (this.#watch !== null) clearInterval(this.#watch);
    this.#child.kill('SIGKILL');
    this.#child.stdin?.destroy();
    // Bytes still on their way are dropped, so that a flood ends with the process.
    this.#child.stdout?.resume();
    this.#pending?.reject(end);
    this.#pending = null;
  }

  #last(code: number | null, signal: string | null): string {
    const how = signal === null ? `exit ${code}` : signal;
    return this.#stderr === '' ? how : `${how}: ${this.#stderr.trim().slice(0, 200)}`;
  }

  #watchResident(limit: number): void {
    this.#watch = setInterval(() => {
      const bytes = this.#child.pid === undefined ? 0 : residentBytes(this.#child.pid);
      if (bytes > limit) this.#finish(new ProcessEnd('memory', 'resident memory over its limit'));
    }, RESIDENT_INTERVAL_MS);
    this.#watch.unref();
  }
}
