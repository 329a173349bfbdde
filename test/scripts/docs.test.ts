import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { METRICS } from '../../node/rpc/metrics.ts';
import { errorsDocument } from '../../scripts/docs/errors.ts';
import { limitsDocument } from '../../scripts/docs/limits.ts';
import { metricsDocument } from '../../scripts/docs/metrics.ts';
import { readConstants } from '../../scripts/docs/source.ts';

function written(name: string): string {
  return readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
}

test('docs/ERRORS.md is what the error tables say', async () => {
  assert.equal(written('ERRORS.md'), await errorsDocument(), 'run scripts/node24 scripts/docs/all.ts');
});

test('docs/LIMITS.md is what the constants say, and every limit has a reason', async () => {
  const text = await limitsDocument();
  assert.equal(written('LIMITS.md'), text, 'run scripts/node24 scripts/docs/all.ts');
  assert.deepEqual(
    text.split('\n').filter((line) => line.endsWith('|  |')),
    [],
  );
});

test('docs/METRICS.md is what the gauges say, and its alerts name gauges that exist', () => {
  const text = metricsDocument();
  assert.equal(written('METRICS.md'), text, 'run scripts/node24 scripts/docs/all.ts');
  const names = new Set(METRICS.map((metric) => metric.name));
  for (const [name] of text.matchAll(/cacheon_[a-z_]+/g)) assert.ok(names.has(name), name);
});

test('comments of constants: of a file, of one, of a group, of members', () => {
  const { intro, constants } = readConstants(`/** Of the file. */

/** Of two,
 * on two lines. */
export const A = 1;
export const B = 2;

export const C = 3;
export interface D {
  /** Of a member. */
  readonly one: number;
}
export const E: D = { one: 1 };
`);
  assert.equal(intro, 'Of the file.');
  assert.deepEqual(
    constants.map(({ name, why, isGrouped }) => [name, why, isGrouped]),
    [
      ['A', 'Of two, on two lines.', false],
      ['B', '', true],
      ['C', '', false],
      ['E', '', false],
    ],
  );
  assert.equal(constants[3]?.members.get('one'), 'Of a member.');
});
