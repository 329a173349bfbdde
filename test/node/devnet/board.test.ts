import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Board } from '../../../node/devnet/board.ts';
import type { NodeEvent } from '../../../node/run/events.ts';

const MINERS = new Map([
  ['hk1', 'miner1'],
  ['hk2', 'miner2'],
  ['hk3', 'miner3'],
]);
const NODES = ['a', 'b'];

function run(change: (node: string, event: NodeEvent) => NodeEvent | null = (_n, e) => e): Board {
  const board = new Board(NODES, MINERS);
  const events: NodeEvent[] = [
    ...[1, 2, 3].map(
      (i): NodeEvent => ({ type: 'reservation', reservation: `r${i}`, hotkey: `hk${i}`, contentHash: '' }),
    ),
    ...[1, 2, 3].map(
      (i): NodeEvent => ({
        type: 'regraded',
        place: 2 * (i - 1),
        reservation: `r${i}`,
        author: 'v',
        result: i === 1 ? 'PASS' : 'FAIL',
        reason: [null, 'audit_mismatch', 'too_slow'][i - 1] ?? null,
        speedup: i === 1 ? '3.5' : null,
      }),
    ),
    {
      type: 'closed',
      index: 0,
      record: 'rec',
      noQuorum: false,
      journalHead: 'head',
      stack: 'stack',
      members: [1, 2, 3].map((i) => ({
        reservation: `r${i}`,
        disposition: i === 1 ? 'crowned' : 'failed',
        reason: null,
        speedup: i === 1 ? '3.5' : null,
      })),
    },
    { type: 'weights', height: 60, state: 'confirmed', detail: '' },
  ];
  for (const node of NODES) {
    events.forEach((event, i) => {
      const changed = change(node, event);
      if (changed !== null) board.take(node, { sequence: i, height: 50, event: changed });
    });
  }
  return board;
}

test('a right run is ok, with the reasons that regrade gave', () => {
  const board = run();
  assert.equal(board.isComplete(3), true);
  const summary = board.summary(12.6);
  assert.equal(summary.ok, true);
  assert.deepEqual(summary.crowned, ['r1']);
  assert.deepEqual(summary.failed, [
    { reservation: 'r2', reason: 'audit_mismatch' },
    { reservation: 'r3', reason: 'too_slow' },
  ]);
  assert.deepEqual(summary.records, { a: 'rec', b: 'rec' });
  assert.equal(summary.seconds, 13);
});

test('a run is not ok if a node differs, weights are missing, or the wrong one is crowned', () => {
  const differs = run((node, e) => (node === 'b' && e.type === 'closed' ? { ...e, journalHead: 'other' } : e));
  assert.equal(differs.summary(1).ok, false);
  const noWeights = run((node, e) => (node === 'b' && e.type === 'weights' ? null : e));
  assert.equal(noWeights.summary(1).ok, false);
  assert.equal(noWeights.isComplete(3), false);
  const wrong = run((_n, e) =>
    e.type === 'closed'
      ? { ...e, members: e.members.map((m, i) => ({ ...m, disposition: i === 1 ? 'crowned' : 'failed' })) }
      : e,
  );
  assert.equal(wrong.summary(1).ok, false);
  const held = run((_n, e) =>
    e.type === 'closed'
      ? { ...e, members: e.members.map((m, i) => ({ ...m, disposition: i === 2 ? 'held' : m.disposition })) }
      : e,
  );
  assert.equal(held.summary(1).ok, false);
});

test('a fact of the chain is news once, a fact of a node each time', () => {
  const board = new Board(NODES, MINERS);
  const reservation: NodeEvent = { type: 'reservation', reservation: 'r1', hotkey: 'hk1', contentHash: '' };
  assert.equal(board.take('a', { sequence: 1, height: 5, event: reservation }), true);
  assert.equal(board.take('b', { sequence: 1, height: 5, event: reservation }), false);
  const ballot: NodeEvent = { type: 'ballot_anchored', index: 0, places: [0] };
  assert.equal(board.take('a', { sequence: 2, height: 5, event: ballot }), true);
  assert.equal(board.take('b', { sequence: 2, height: 5, event: ballot }), true);
});
