import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError } from '../../../config/load/index.ts';
import { createLogger, rateLimited } from '../../../node/log/index.ts';

function capture(level = 'debug') {
  const lines: string[] = [];
  return { lines, log: createLogger({ level, destination: { write: (line) => lines.push(line) } }) };
}

test('secrets by name, and texts of foreign errors, are not written', () => {
  const { lines, log } = capture();
  log.info(
    { seed: 'canary', keys: { mnemonic: 'canary', secret: 'canary' }, a: { b: { token: 'canary' } } },
    'started',
  );
  log.error({ err: new Error('canary in a message', { cause: new Error('canary') }) }, 'failed');
  log.error(
    {
      err: new ConfigError('CONFIG_INVALID', [{ field: 'network.netuid', message: 'is required' }], {
        cause: new Error('canary'),
      }),
    },
    'bad',
  );
  assert.ok(!lines.join('').includes('canary'), lines.join(''));
  const [, foreign, own] = lines.map((line) => JSON.parse(line));
  assert.equal(foreign.err.code, 'Error');
  assert.match(foreign.err.stack[0], /log\.test\.ts/);
  assert.deepEqual([own.err.code, own.err.fault, own.level], ['CONFIG_INVALID', 'operator', 'error']);
  assert.match(own.err.message, /network\.netuid: is required/);
});

test('lines that others cause are limited, and the gap is stated', () => {
  const { lines, log } = capture();
  let now = 0;
  const limited = rateLimited(5, 1000, { now: () => now });
  const noisy = () => limited.log((suppressed) => log.debug({ suppressed }, 'malformed frame'));
  for (let i = 0; i < 1_000_000; i++) noisy();
  assert.equal(lines.length, 5);
  now = 1000;
  noisy();
  noisy();
  assert.equal(lines.length, 6);
  assert.equal(JSON.parse(lines[5] as string).suppressed, 999_995);
  now = 3_600_000;
  for (let i = 0; i < 100; i++) noisy();
  assert.equal(lines.length, 11);
});
