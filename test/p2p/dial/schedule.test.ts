import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backoff, DialSchedule } from '../../../p2p/dial/schedule.ts';
import { DIAL_BACKOFF_MAX_MS, DIAL_TARGETS } from '../../../p2p/limits.ts';

const nobody = (): boolean => false;

function schedule(): { dials: DialSchedule; wait(ms: number): void } {
  let now = 5_000;
  return {
    dials: new DialSchedule({ now: () => now, random: () => 1 }),
    wait: (ms) => {
      now += ms;
    },
  };
}

test('pauses double up to a minute, and jitter takes at most half of them', () => {
  assert.deepEqual(
    [1, 2, 3, 6, 7, 100].map((failures) => backoff(failures, 1)),
    [1_000, 2_000, 4_000, 32_000, DIAL_BACKOFF_MAX_MS, DIAL_BACKOFF_MAX_MS],
  );
  assert.equal(backoff(3, 0), 2_000);
  assert.equal(backoff(3, 0.5), 3_000);
});

test('a target is due at once, then after each pause, and never while it is dialed or connected', () => {
  const { dials, wait } = schedule();
  const key = dials.add('operator', ['/ip4/192.0.2.1/tcp/1'], null) as string;
  assert.deepEqual(dials.due(9, nobody), [key]);
  dials.begin(key);
  assert.deepEqual(dials.due(9, nobody), []);
  dials.failed(key, 'DEADLINE');
  assert.deepEqual(dials.due(9, nobody), []);
  wait(999);
  assert.deepEqual(dials.due(9, nobody), []);
  wait(1);
  assert.deepEqual(dials.due(9, nobody), [key]);
  assert.equal(dials.get(key)?.failures, 1);
  assert.equal(dials.get(key)?.lastError, 'DEADLINE');
  dials.begin(key);
  dials.failed(key, 'DEADLINE');
  wait(1_999);
  assert.deepEqual(dials.due(9, nobody), []);
  wait(1);
  dials.begin(key);
  dials.succeeded(key, 'hotkey');
  assert.deepEqual(
    dials.due(9, (hotkey) => hotkey === 'hotkey'),
    [],
  );
  assert.deepEqual(dials.due(9, nobody), [key], 'lost again: dialed at once');
  assert.equal(dials.get(key)?.failures, 0);
});

test('only so many are due at once, and retry forgets the pause', () => {
  const { dials } = schedule();
  const keys = [1, 2, 3].map((i) => dials.add('operator', [`/ip4/192.0.2.${i}/tcp/1`], null) as string);
  assert.equal(dials.due(2, nobody).length, 2);
  for (const key of keys) dials.failed(key, 'DEADLINE');
  assert.deepEqual(dials.due(9, nobody), []);
  dials.retry(keys[1] as string);
  assert.deepEqual(dials.due(9, nobody), [keys[1]]);
});

test('the chain replaces its own targets and no others; a changed address is due at once', () => {
  const { dials } = schedule();
  const mine = dials.add('operator', ['/ip4/192.0.2.9/tcp/1'], null) as string;
  dials.replace(
    'chain',
    new Map([
      ['a', ['/ip4/192.0.2.1/tcp/1']],
      ['b', ['/ip4/192.0.2.2/tcp/1']],
    ]),
  );
  const keys = dials.due(9, nobody);
  assert.equal(keys.length, 3);
  for (const key of keys) dials.failed(key, 'DEADLINE');
  dials.replace('chain', new Map([['a', ['/ip4/192.0.2.1/tcp/1']]]));
  assert.deepEqual(dials.due(9, nobody), [], 'unchanged: the pause goes on');
  dials.replace('chain', new Map([['a', ['/ip4/192.0.2.7/tcp/1']]]));
  const [moved, ...none] = dials.due(9, nobody);
  assert.deepEqual(none, []);
  assert.deepEqual(dials.get(moved as string)?.addresses, ['/ip4/192.0.2.7/tcp/1']);
  assert.equal(dials.targets().length, 2);
  assert.notEqual(dials.get(mine), null);
});

test('several sources of one hotkey make one dial; what peers said of former members is forgotten', () => {
  const { dials } = schedule();
  dials.replace('chain', new Map([['a', ['/ip4/192.0.2.1/tcp/1']]]));
  dials.add('peer', ['/ip4/192.0.2.2/tcp/1'], 'a');
  const [key, ...none] = dials.due(9, nobody);
  assert.deepEqual(none, []);
  dials.begin(key as string);
  assert.deepEqual(dials.due(9, nobody), []);
  dials.failed(key as string, 'DEADLINE');
  assert.equal(dials.due(9, nobody).length, 1, 'the other source has its turn');
  dials.add('peer', ['/ip4/192.0.2.3/tcp/1'], 'b');
  dials.retainPeers(new Set(['b']));
  assert.deepEqual(
    dials.targets().map((target) => [target.source, target.hotkey]),
    [
      ['chain', 'a'],
      ['peer', 'b'],
    ],
  );
});

test('peers cannot fill the list: their targets give way, the operator keeps his', () => {
  const { dials } = schedule();
  const mine = dials.add('operator', ['/ip4/192.0.2.1/tcp/1'], null) as string;
  for (let i = 0; i < 2 * DIAL_TARGETS; i++) dials.add('peer', ['/ip4/192.0.2.2/tcp/1'], `hotkey ${i}`);
  assert.equal(dials.targets().length, DIAL_TARGETS);
  assert.notEqual(dials.get(mine), null);
  assert.equal(dials.add('peer', [], 'no address'), null);
});
