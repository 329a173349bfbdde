import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimiter } from '../../../p2p/guard/gcra.ts';
import { Scores } from '../../../p2p/guard/scores.ts';
import { BAN_MS, TRACKED_HOTKEYS } from '../../../p2p/limits.ts';

test('a burst at once, then the rate; asking too much takes nothing', () => {
  let now = 1_000_000;
  const limiter = new RateLimiter({ perMinute: 60, burst: 3 }, () => now);
  assert.deepEqual(
    [1, 2, 3, 4].map(() => limiter.take('a')),
    [true, true, true, false],
  );
  assert.equal(limiter.take('b', 4), false);
  assert.equal(limiter.take('b', 3), true);
  now += 999;
  assert.equal(limiter.take('a'), false);
  now += 1;
  assert.equal(limiter.take('a'), true);
  assert.equal(limiter.take('a'), false);
  now += 60_000;
  assert.deepEqual(
    [1, 2, 3, 4].map(() => limiter.take('a')),
    [true, true, true, false],
  );
});

test('zero units always fit, and many keys do not grow the limiter for ever', () => {
  const limiter = new RateLimiter({ perMinute: 1, burst: 1 }, () => 0);
  assert.equal(limiter.take('a', 0), true);
  for (let i = 0; i < TRACKED_HOTKEYS; i++) assert.equal(limiter.take(`key ${i}`), true);
  // The oldest was forgotten, a recent one is not.
  assert.equal(limiter.take(`key ${TRACKED_HOTKEYS - 1}`), false);
  assert.equal(limiter.take('one more'), true);
  assert.equal(limiter.take('key 0'), true);
});

test('two lies are a ban, which ends; points come back with time', () => {
  let now = 0;
  const scores = new Scores(() => now);
  assert.equal(scores.score('a'), 0);
  assert.equal(scores.penalise('a', 'lie'), false);
  assert.equal(scores.score('a'), -60);
  now += 60_000;
  assert.equal(scores.score('a'), -50);
  assert.equal(scores.isBanned('a'), false);
  assert.equal(scores.penalise('a', 'lie'), true);
  assert.equal(scores.isBanned('a'), true);
  assert.equal(scores.penalise('a', 'rate'), false, 'already banned');
  assert.equal(scores.isBanned('b'), false);
  now += BAN_MS;
  assert.equal(scores.isBanned('a'), false);
  now += BAN_MS;
  assert.equal(scores.score('a'), 0);
});
