import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  blocksFile,
  completeQuads,
  filesOf,
  logFile,
  parseBlocks,
  parseLog,
  plainFacts,
  STAGES,
} from '../../../evaluator/evidence/index.ts';
import { FAIL_REASONS, NO_DECISION_REASONS, type Verdict } from '../../../evaluator/statement/index.ts';
import { SPEED } from '../../native/qualify/support/world.ts';

const quad = [5, 6, 7, 8];

test('blocks are a prefix of the policy’s blocks: only the last pair and quad may be unfinished', () => {
  const full = Array.from({ length: 3 }, () => [quad, quad]);
  for (const times of [[], [[quad]], [[quad, [1]]], [[quad, quad], [[1, 2]]], full]) {
    assert.deepEqual(parseBlocks(blocksFile(times), SPEED), times);
    assert.equal(completeQuads(times, SPEED) !== null, times === full);
  }
  for (const times of [
    [[quad, quad], [[1]], [quad]],
    [[[1], quad]],
    [[quad], [quad]],
    [[]],
    [[[]]],
    [...full, [quad]],
    [[quad, quad, quad]],
    [[[1, 2, 3, 4, 5]]],
    [[[0]]],
    [[[1.5]]],
    [[['1']]],
    [1],
  ]) {
    assert.throws(() => parseBlocks({ schema_version: 1, pairs: times }, SPEED), /blocks\.pairs/);
  }
});

test('a log is bounded printable ASCII', () => {
  const log = { stage: 'audit', elapsed_ms: 5, detail: 'x\n\u0000é'.padEnd(2000, 'y') } as const;
  const written = logFile(log) as { detail: string };
  assert.equal(written.detail.length, 500);
  assert.match(written.detail, /^[\x20-\x7e]*$/);
  assert.equal(parseLog(written).stage, 'audit');
  assert.throws(() => parseLog({ ...written, detail: 'é' }), /log\.detail/);
  assert.throws(() => parseLog({ ...written, stage: 'later' }), /log\.stage/);
});

test('host facts are kept in a form that canonical JSON can carry', () => {
  const facts = plainFacts({ start_ms: 1.4, sandbox: 'bw\nrap', ok: true, 'bad key': 1, nan: Number.NaN });
  assert.deepEqual(facts, { start_ms: 1, sandbox: 'bw rap', ok: true, nan: 'NaN' });
});

const verdicts: readonly Verdict[] = [
  { result: 'PASS', reason: null, speedup: '2' },
  ...FAIL_REASONS.map((reason) => ({ result: 'FAIL', reason, speedup: null }) as const),
  ...NO_DECISION_REASONS.map((reason) => ({ result: 'NO_DECISION', reason, speedup: null }) as const),
];

test('every verdict ends in its own stages only', () => {
  const stages = Object.fromEntries(
    verdicts.map((verdict) => [
      verdict.reason ?? 'PASS',
      STAGES.filter((stage) => filesOf(verdict, stage, true) !== null).join(' '),
    ]),
  );
  assert.deepEqual(stages, {
    PASS: 'done',
    bundle_refused: 'plan',
    build_failed: 'build',
    audit_mismatch: 'audit',
    reference_mismatch: 'reference',
    too_slow: 'timed',
    deadline: 'build audit timed',
    crashed: 'build audit timed',
    bytes_unavailable: 'plan',
    infrastructure: 'plan build audit timed reference',
    inconclusive: 'timed',
  });
});

test('a later stage requires every file of the stages before it', () => {
  const required = (reason: string, stage: (typeof STAGES)[number]) => {
    const verdict = verdicts.find((row) => (row.reason ?? 'PASS') === reason) as Verdict;
    return filesOf(verdict, stage, true)?.required ?? [];
  };
  const order = [
    required('bundle_refused', 'plan'),
    required('build_failed', 'build'),
    required('audit_mismatch', 'audit'),
    required('too_slow', 'timed'),
    required('PASS', 'done'),
  ];
  order.slice(1).forEach((files, i) => {
    for (const name of order[i] ?? []) assert.ok(files.includes(name), name);
  });
  assert.equal(order.at(-1)?.length, 13, 'a PASS has all thirteen');
});
