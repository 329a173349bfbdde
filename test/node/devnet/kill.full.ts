import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRight, type DevnetProcess, pidOf, startDevnet } from './support.ts';

/** Kills of daemons at random moments, spread over these runs. */
const RUNS = 3;
const KILLS_PER_RUN = 4;
const DAEMONS = ['chain', 'validator0', 'validator1', 'validator2'];
/** Seconds after the proposals are ordered within which the kills happen. */
const SPREAD_SECONDS = 60;

/** A generator that a failing run can be repeated with (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function killAtRandom(devnet: DevnetProcess, next: () => number, say: (text: string) => void): Promise<void> {
  await devnet.waitFor((line) => line.type === 'event' && line.event.type === 'reservation');
  const started = Date.now();
  const moments = Array.from({ length: KILLS_PER_RUN }, () => next() * SPREAD_SECONDS).sort((a, b) => a - b);
  for (const moment of moments) {
    const name = DAEMONS[Math.floor(next() * DAEMONS.length)] as string;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, started + moment * 1000 - Date.now())));
    const pid = pidOf(devnet, name);
    if (pid === null) continue;
    try {
      process.kill(pid, 'SIGKILL');
      say(`killed ${name} ${moment.toFixed(1)} s after the proposals`);
    } catch {
      // It is between two starts: already dead.
    }
  }
}

test('kill -9 of any daemon at random moments: the run still ends right', { timeout: RUNS * 900_000 }, async (t) => {
  const seed = Number(process.env['CACHEON_KILL_SEED'] ?? Date.now() % 100_000);
  t.diagnostic(`seed ${seed}`);
  const next = random(seed);
  for (let run = 0; run < RUNS; run++) {
    const devnet = startDevnet();
    try {
      await Promise.race([killAtRandom(devnet, next, (text) => t.diagnostic(`run ${run + 1}: ${text}`)), devnet.ended]);
      const { code } = await devnet.ended;
      const { seconds } = assertRight(devnet, code, 3);
      t.diagnostic(`run ${run + 1}: right after ${seconds} s`);
      assert.deepEqual(devnet.survivors(), []);
    } finally {
      devnet.child.kill('SIGKILL');
      devnet.remove();
    }
  }
});
