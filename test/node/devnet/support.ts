import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Summary } from '../../../node/devnet/board.ts';
import type { NodeEvent } from '../../../node/run/events.ts';

const main = fileURLToPath(new URL('../../../node/devnet/main.ts', import.meta.url));

/** One line of `--json`. */
export type DevnetLine =
  | { readonly type: 'note'; readonly seconds: number; readonly who: string; readonly text: string }
  | { readonly type: 'event'; readonly seconds: number; readonly node: string; readonly event: NodeEvent }
  | { readonly type: 'pages'; readonly pages: Readonly<Record<string, string>> }
  | Summary;

export interface DevnetProcess {
  readonly child: ChildProcess;
  readonly root: string;
  readonly lines: DevnetLine[];
  /** Resolves with the first line that fits; rejects if the devnet ends before. */
  waitFor(fits: (line: DevnetLine) => boolean): Promise<DevnetLine>;
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
  /** Command lines of processes that still belong to this run. */
  survivors(): string[];
  remove(): void;
}

/** Starts `devnet --json` in a folder of its own. */
export function startDevnet(args: readonly string[] = []): DevnetProcess {
  const root = mkdtempSync(join(tmpdir(), 'devnet-test-'));
  // As scripts/node24 starts it.
  const argv = ['--disable-warning=ExperimentalWarning', main, '--json', '--data-dir', root, ...args];
  const child = spawn(process.execPath, argv, {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: DevnetLine[] = [];
  const waiting: {
    fits: (line: DevnetLine) => boolean;
    resolve: (line: DevnetLine) => void;
    reject: (e: Error) => void;
  }[] = [];
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (text) => {
    const line = JSON.parse(text) as DevnetLine;
    lines.push(line);
    for (const waiter of waiting) if (waiter.fits(line)) waiter.resolve(line);
  });
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve) => {
    child.once('close', (code) => {
      for (const waiter of waiting) waiter.reject(new Error(`the devnet ended with ${code}\n${stderr}`));
      resolve({ code, stderr });
    });
  });
  return {
    child,
    root,
    lines,
    ended,
    waitFor(fits) {
      const known = lines.find(fits);
      if (known !== undefined) return Promise.resolve(known);
      return new Promise((resolve, reject) => waiting.push({ fits, resolve, reject }));
    },
    survivors: () => processesOf(root),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Process ids by name, from the notes of the supervisor; the latest start counts. */
export function pidOf(devnet: DevnetProcess, name: string): number | null {
  const starts = devnet.lines.filter(
    (line) => line.type === 'note' && line.who === name && /process \d+$/.test(line.text),
  );
  const last = starts.at(-1);
  return last?.type === 'note' ? Number(/process (\d+)$/.exec(last.text)?.[1]) : null;
}

/** The summary of a run that must have ended right: agreement on all nodes, no wrong and no copied kernel passed. */
export function assertRight(devnet: DevnetProcess, code: number | null, validators: number): Summary {
  const summary = devnet.lines.at(-1);
  assert.ok(summary?.type === 'summary', 'the last line is the summary');
  assert.equal(code, 0, JSON.stringify(summary));
  assert.equal(summary.ok, true);
  assert.equal(summary.crowned.length, 1);
  assert.equal(summary.failed.length, 2);
  for (const digests of [summary.records, summary.heads, summary.stacks]) {
    const values = Object.values(digests);
    assert.equal(values.length, validators);
    assert.equal(new Set(values).size, 1);
    assert.match(values[0] ?? '', /^[0-9a-f]{64}$/);
  }
  assert.deepEqual(Object.values(summary.weightsConfirmed), Array(validators).fill(true));
  for (const line of devnet.lines) {
    if (line.type !== 'event' || line.event.type !== 'measured') continue;
    const isCrowned = summary.crowned.includes(line.event.reservation);
    assert.ok(line.event.result !== 'PASS' || isCrowned, `a wrong or copied kernel passed: ${JSON.stringify(line)}`);
  }
  return summary;
}

/** From /proc and not from `ps`, which a small machine does not have. */
function processesOf(root: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => `${pid} ${commandLine(pid)}`)
    .filter((line) => line.includes(root));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    // It ended in between.
    return '';
  }
}
