import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Change, orAbort, sleep, Watermark } from '../../../node/run/waits.ts';

test('a watermark wakes whoever waits for its level, at once if it is reached', async () => {
  const mark = new Watermark(5);
  const { signal } = new AbortController();
  await mark.reached(5, signal);
  const order: number[] = [];
  const waits = [8, 7].map((level) => mark.reached(level, signal).then(() => order.push(level)));
  mark.raise(6);
  mark.raise(7);
  await waits[1];
  assert.deepEqual(order, [7]);
  mark.raise(20);
  await Promise.all(waits);
  mark.raise(3);
  assert.equal(mark.level, 20);
});

test('an abort ends every kind of wait with its reason', async () => {
  const stop = new AbortController();
  const mark = new Watermark(0);
  const waits = [mark.reached(1, stop.signal), sleep(60_000, stop.signal), orAbort(new Promise(() => {}), stop.signal)];
  stop.abort(new Error('stopping'));
  for (const wait of waits) await assert.rejects(wait, /stopping/);
  for (const late of [mark.reached(1, stop.signal), sleep(1, stop.signal), orAbort(Promise.resolve(1), stop.signal)]) {
    await assert.rejects(late, /stopping/);
  }
});

test('a change wakes those who waited before it, each change once', async () => {
  const change = new Change();
  const before = change.next();
  change.signal();
  await before;
  const after = change.next();
  let woken = false;
  after.then(() => (woken = true));
  await null;
  assert.equal(woken, false);
  change.signal();
  await after;
});
