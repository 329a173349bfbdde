import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Backoff } from '../../../chain/rpc/backoff.ts';
import { withDeadline } from '../../../chain/rpc/clock.ts';
import { ManualClock } from '../clock.ts';

test('delays double up to the largest, half of each is jitter, and start again after a reset', () => {
  const none = new Backoff({ minMs: 100, maxMs: 1000 }, () => 0);
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].map(() => none.next()),
    [50, 100, 200, 400, 500, 500],
  );
  none.reset();
  assert.equal(none.next(), 50);
  const full = new Backoff({ minMs: 100, maxMs: 1000 }, () => 0.999999);
  assert.ok(Math.abs(full.next() - 100) < 0.01);
});

test('a deadline fires even if the work ignores its signal', async () => {
  const clock = new ManualClock();
  const late = new Error('late');
  const work = withDeadline({ ms: 50, clock, signal: undefined, late: () => late }, () => new Promise<never>(() => {}));
  const outcome = assert.rejects(work, late);
  clock.advance(50);
  await outcome;
});

test('work that is done in time leaves no sleeper behind', async () => {
  const clock = new ManualClock();
  const options = { ms: 50, clock, signal: undefined, late: () => new Error('late') };
  assert.equal(await withDeadline(options, async () => 7), 7);
  assert.equal(clock.sleeping, 0);
});
