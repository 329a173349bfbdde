import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deadline, raceSignal, within } from '../../../p2p/wire/deadline.ts';

test('what takes too long ends with DEADLINE; what a parent ends, with its reason', async () => {
  const never = new Promise<never>(() => {});
  await assert.rejects(
    within(5, undefined, (signal) => raceSignal(never, signal)),
    { code: 'DEADLINE' },
  );
  const parent = new AbortController();
  const waiting = within(60_000, parent.signal, (signal) => raceSignal(never, signal));
  parent.abort(new Error('parent'));
  await assert.rejects(waiting, /parent/);
  await assert.rejects(
    within(60_000, parent.signal, (signal) => raceSignal(never, signal)),
    /parent/,
  );
});

test('a cleared deadline never fires and leaves no listener behind', async () => {
  const parent = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = parent.signal;
  parent.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners += 1;
    addEventListener.apply(parent.signal, args);
  };
  parent.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners -= 1;
    removeEventListener.apply(parent.signal, args);
  };
  const bound = deadline(1, parent.signal);
  assert.equal(listeners, 1);
  bound.clear();
  assert.equal(listeners, 0);
  await new Promise(setImmediate);
  parent.abort();
  assert.equal(bound.signal.aborted, false);
});
