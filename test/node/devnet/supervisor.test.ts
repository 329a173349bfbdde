import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Supervisor } from '../../../node/devnet/supervisor.ts';

const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/devnet/${name}`, import.meta.url));

interface Ended {
  readonly name: string;
  readonly code: number | null;
  readonly final: boolean;
}

function harness(): { supervisor: Supervisor; starts: string[]; ends: Ended[]; next: () => Promise<void> } {
  const starts: string[] = [];
  const ends: Ended[] = [];
  let wake: () => void = () => undefined;
  const supervisor = new Supervisor({
    started: (name) => {
      starts.push(name);
      wake();
    },
    ended: (name, code, _signal, final) => {
      ends.push({ name, code, final });
      wake();
    },
  });
  return { supervisor, starts, ends, next: () => new Promise((resolve) => (wake = resolve)) };
}

async function until(h: { next: () => Promise<void> }, condition: () => boolean): Promise<void> {
  while (!condition()) await h.next();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('a process that dies is started again, one that needs the operator is not', { timeout: 20_000 }, async () => {
  const h = harness();
  h.supervisor.start({ name: 'fails', argv: [fixture('child.ts'), 'fail'], logFile: '/dev/null' });
  h.supervisor.start({ name: 'operator', argv: [fixture('child.ts'), 'operator'], logFile: '/dev/null' });
  await until(h, () => h.starts.filter((name) => name === 'fails').length >= 2 && h.ends.some((e) => e.final));
  assert.deepEqual(
    h.ends.find((e) => e.name === 'operator'),
    { name: 'operator', code: 78, final: true },
  );
  assert.equal(h.starts.filter((name) => name === 'operator').length, 1);
  await h.supervisor.stop();
});

test('stop leaves no process, even one that ignores SIGTERM', { timeout: 20_000 }, async () => {
  const h = harness();
  const up = new Promise<number>((resolve) => {
    h.supervisor.start({
      name: 'stubborn',
      argv: [fixture('child.ts'), 'stubborn'],
      logFile: '/dev/null',
      onLine: (line) => resolve(Number(line.split(' ')[1])),
    });
  });
  const pid = await up;
  await h.supervisor.stop();
  assert.equal(isAlive(pid), false);
});

test('a child ends when its supervisor is killed', { timeout: 20_000 }, async () => {
  const parent = spawn(process.execPath, [fixture('parent.ts')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: parent.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  const pid = Number(line.split(' ')[1]);
  assert.equal(isAlive(pid), true);
  // The child holds its end of the same output pipe: it closes when both are gone.
  const closed = once(parent.stdout, 'close');
  parent.kill('SIGKILL');
  await closed;
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
});
