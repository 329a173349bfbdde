import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Slots } from '../../../p2p/wire/slots.ts';

const NEVER = new AbortController().signal;

test('no more than so many at once, in order; a failing one frees its slot', async () => {
  const slots = new Slots(2);
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const started: number[] = [];
  const runs = gates.map((gate, i) =>
    slots.run(NEVER, async () => {
      started.push(i);
      await gate.promise;
      if (i === 0) throw new Error('zero');
      return i;
    }),
  );
  await Promise.resolve();
  assert.deepEqual(started, [0, 1]);
  gates[0]?.resolve();
  await assert.rejects(runs[0] as Promise<number>, /zero/);
  await new Promise(setImmediate);
  assert.deepEqual(started, [0, 1, 2]);
  for (const gate of gates) gate.resolve();
  assert.deepEqual(await Promise.all(runs.slice(1)), [1, 2, 3]);
});

test('who gives up while waiting takes no slot with him', async () => {
  const slots = new Slots(1);
  const gate = Promise.withResolvers<void>();
  const first = slots.run(NEVER, () => gate.promise);
  const controller = new AbortController();
  const second = slots.run(controller.signal, async () => 'second');
  const third = slots.run(NEVER, async () => 'third');
  controller.abort(new Error('tired'));
  await assert.rejects(second, /tired/);
  gate.resolve();
  await first;
  assert.equal(await third, 'third');
});
