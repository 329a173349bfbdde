import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { assertRight, startDevnet } from './support.ts';

/** Runs in a row, and how many of them have the other core kept busy by something else. */
const RUNS = 10;
const BUSY_RUNS = 2;

test('ten devnets in a row end right', { timeout: RUNS * 600_000 }, async (t) => {
  for (let run = 0; run < RUNS; run++) {
    const isBusy = run >= RUNS - BUSY_RUNS;
    const load = isBusy ? spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }) : null;
    const devnet = startDevnet();
    try {
      const { code } = await devnet.ended;
      const { seconds } = assertRight(devnet, code, 3);
      const speeds = devnet.lines.flatMap((line) =>
        line.type === 'event' && line.event.type === 'measured' && line.event.speedup !== null
          ? [line.event.speedup]
          : [],
      );
      t.diagnostic(
        `run ${run + 1}${isBusy ? ', the other core busy' : ''}: ${seconds} s, speedups ${speeds.join(' ')}`,
      );
    } finally {
      load?.kill('SIGKILL');
      devnet.child.kill('SIGKILL');
      devnet.remove();
    }
  }
});
