import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reservation } from '../../../evaluator/peer/index.ts';
import { type Candidate, ripeFates, sortCandidates, winnerOf } from '../../../evaluator/peer/settle-order.ts';
import { digest, grade, key } from './world.ts';

function reservation(n: number, delta: string, passes = 0): Reservation {
  return {
    reservation_id: digest(`reservation ${n}`),
    hotkey: key(n),
    content_hash: digest(`content ${n}`),
    url: 'https://a',
    block: n,
    event_index: 0,
    event_subindex: 0,
    committed: n,
    spent: 0,
    passes,
    delta,
    drawn: [],
  };
}

function candidate(row: Reservation, delta: string, speedups: [string, string] = ['1.1', '1.2']): Candidate {
  const primary = { ...grade('PASS', speedups[0]), selected_delta_digest: delta };
  return { reservation: row, receipts: [digest('a'), digest('b')], speedups, primary };
}

const [d0, d1, d2] = [digest('d0'), digest('d1'), digest('d2')] as const;

test("the kept delta of an earlier candidate is in nobody's way, only its side 0 delta is", () => {
  const [first, second, third] = [reservation(1, d0), reservation(2, d0), reservation(3, d1)];
  const rows = [candidate(first, d1), candidate(second, d0), candidate(third, d1)];
  const { fates, ripe } = sortCandidates(rows, [first, second, third], 1);
  assert.deepEqual(
    ripe.map((row) => row.reservation_id),
    [first.reservation_id, second.reservation_id],
  );
  assert.deepEqual(fates.get(third.reservation_id), { disposition: 'held', reason: 'duplicate_delta' });
});

test('an earlier reservation that is no candidate goes first, a later one does not matter', () => {
  const [first, second, third] = [reservation(1, d0), reservation(2, d0), reservation(3, d2)];
  const rows = [candidate(second, d0)];
  const pending = sortCandidates(rows, [first, second, third], 1);
  assert.deepEqual(pending.fates.get(second.reservation_id), { disposition: 'earlier_pending', reason: null });
  const free = sortCandidates(rows, [second, reservation(4, d0)], 1);
  assert.equal(free.ripe.length, 1);
});

test('confirmations: one more pass, then ripe, with the lower speedup', () => {
  const [fresh, confirmed] = [reservation(1, d0), reservation(2, d1, 1)];
  const rows = [candidate(fresh, d0), candidate(confirmed, d1, ['1.25', '1.125'])];
  const { fates, ripe } = sortCandidates(rows, [fresh, confirmed], 2);
  assert.deepEqual(fates.get(fresh.reservation_id), { disposition: 'confirmed', reason: null });
  assert.deepEqual(
    ripe.map((row) => row.speedup),
    ['1.125'],
  );
});

test('the winner: exactly the lead replaces, one digit less does not, and leads chain', () => {
  const ripe = (...speedups: string[]) =>
    speedups.map((speedup, n) => {
      const { ripe } = sortCandidates([candidate(reservation(n, d0), d0, [speedup, '9'])], [reservation(n, d0)], 1);
      return ripe[0] as (typeof ripe)[0];
    });
  assert.equal(winnerOf(ripe('1.5', '1.53'), 20_000), 1);
  assert.equal(winnerOf(ripe('1.5', '1.5299999999999999999999'), 20_000), 0);
  assert.equal(winnerOf(ripe('1.5', '1.52', '1.53'), 20_000), 2);
  assert.equal(winnerOf(ripe('1.5', '1.6', '1.62'), 20_000), 1);
  const fates = [...ripeFates(ripe('1.5', '1.6'), 1).values()].map((fate) => fate.disposition);
  assert.deepEqual(fates, ['conflict_lost', 'crowned']);
});
