import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tasks } from '../../../node/run/tasks.ts';

function harness(): { tasks: Tasks; clock: { now: number }; failures: string[]; stop: AbortController } {
  const clock = { now: 0 };
  const failures: string[] = [];
  const stop = new AbortController();
  const tasks = new Tasks(stop.signal, {
    now: () => clock.now,
    onFailure: (key) => failures.push(key),
    onEnd: () => undefined,
  });
  return { tasks, clock, failures, stop };
}

test('a key runs once at a time, and again when it is done', async () => {
  const { tasks } = harness();
  const gate = Promise.withResolvers<void>();
  assert.equal(
    tasks.start('a', () => gate.promise),
    true,
  );
  assert.equal(
    tasks.start('a', () => gate.promise),
    false,
  );
  assert.deepEqual(tasks.running(), ['a']);
  gate.resolve();
  await tasks.settled();
  assert.equal(
    tasks.start('a', async () => undefined),
    true,
  );
  await tasks.settled();
});

test('a failure rests, longer each time, and a success forgets it', async () => {
  const { tasks, clock, failures } = harness();
  const fail = async (): Promise<void> => {
    throw new Error('no');
  };
  tasks.start('a', fail);
  await tasks.settled();
  assert.equal(tasks.start('a', fail), false);
  clock.now = 500;
  assert.equal(tasks.start('a', fail), true);
  await tasks.settled();
  clock.now = 1000;
  assert.equal(tasks.start('a', fail), false, 'the second rest is longer');
  clock.now = 1500;
  assert.equal(
    tasks.start('a', async () => undefined),
    true,
  );
  await tasks.settled();
  assert.equal(
    tasks.start('a', async () => undefined),
    true,
  );
  await tasks.settled();
  assert.deepEqual(failures, ['a', 'a']);
});

test('after a stop nothing starts, and what an abort ends is no failure', async () => {
  const { tasks, failures, stop } = harness();
  tasks.start(
    'a',
    (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  await null;
  stop.abort(new Error('stopping'));
  await tasks.settled();
  assert.equal(
    tasks.start('b', async () => undefined),
    false,
  );
  assert.deepEqual(failures, []);
});

test('failures of endless keys are bounded', async () => {
  const { tasks } = harness();
  for (let i = 0; i < 300; i++) {
    tasks.start(`k${i}`, async () => {
      throw new Error('no');
    });
  }
  await tasks.settled();
  assert.equal(
    tasks.start('k0', async () => undefined),
    true,
    'the oldest is forgotten',
  );
  assert.equal(
    tasks.start('k299', async () => undefined),
    false,
  );
  await tasks.settled();
});

test('a cancelled task ends by its signal, counts as no failure and may start again', async () => {
  const { tasks, failures } = harness();
  let reason: unknown;
  tasks.start('a', async (signal) => {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    reason = signal.reason;
    throw new Error('what an abort leaves behind');
  });
  tasks.start('b', async () => undefined);
  await null;
  tasks.cancel('a');
  tasks.cancel('nothing of this name');
  await tasks.settled();
  assert.match(String(reason), /not needed/);
  assert.deepEqual(failures, []);
  assert.equal(
    tasks.start('a', async () => undefined),
    true,
    'it does not rest',
  );
  await tasks.settled();
});
