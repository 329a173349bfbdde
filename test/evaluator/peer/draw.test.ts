import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { drawMembers, pick } from '../../../evaluator/peer/draw.ts';
import type { ActiveRow, Reservation } from '../../../evaluator/peer/index.ts';
import { compareAddresses } from '../../../evaluator/peer/index.ts';
import { digest, key } from './world.ts';

function rows(stakes: readonly string[], coldkeys = stakes.length): ActiveRow[] {
  return stakes
    .map((stake, i) => ({ hotkey: key(i), coldkey: key(100 + (i % coldkeys)), stake }))
    .sort((a, b) => compareAddresses(a.hotkey, b.hotkey));
}

function reservation(n: number, change: Partial<Reservation> = {}): Reservation {
  return {
    reservation_id: digest(`reservation ${n}`),
    hotkey: key(900 + n),
    content_hash: digest(`content ${n}`),
    url: 'https://a',
    block: 1,
    event_index: n,
    event_subindex: 0,
    committed: 1,
    spent: 0,
    passes: 0,
    delta: null,
    drawn: [],
    ...change,
  };
}

test('validators are drawn in proportion to their stake, beyond 2^53 too', () => {
  const unit = 10n ** 20n;
  const pool = rows([unit, 2n * unit, 7n * unit].map(String));
  const draws = 5000;
  const seen = new Map<string, number>();
  for (let n = 0; n < draws; n++) {
    const row = pick(pool, digest(`reservation ${n}`), 0, `0x${digest('entropy')}`);
    seen.set(row?.stake ?? '', (seen.get(row?.stake ?? '') ?? 0) + 1);
  }
  let chiSquared = 0;
  for (const share of [1, 2, 7]) {
    const expected = (draws * share) / 10;
    chiSquared += ((seen.get(String(BigInt(share) * unit)) ?? 0) - expected) ** 2 / expected;
  }
  // 13.8 is exceeded once in 1,000 by a fair draw of two degrees of freedom; the draws here never change.
  assert.ok(chiSquared < 13.8, `chi squared ${chiSquared}`);
});

test('entropy, reservation and side each change the draw', () => {
  const pool = rows(Array.from({ length: 64 }, () => '1'));
  const drawn = (id: number, side: 0 | 1, entropy: number) =>
    pick(pool, digest(`${id}`), side, `0x${digest(`e${entropy}`)}`)?.hotkey;
  const many = Array.from({ length: 20 }, (_, n) => n);
  assert.ok(new Set(many.map((n) => drawn(n, 0, 0))).size > 10);
  assert.ok(new Set(many.map((n) => drawn(0, 0, n))).size > 10);
  assert.ok(many.filter((n) => drawn(n, 0, 0) === drawn(n, 1, 0)).length < 10);
  assert.equal(pick([], digest('0'), 0, '0x00'), null);
});

test('what every draw keeps: two coldkeys, not the miner, nobody over capacity, the cohort bound', () => {
  const world = fc.record({
    stakes: fc.array(fc.bigInt(1n, 2n ** 70n).map(String), { minLength: 0, maxLength: 9 }),
    coldkeys: fc.integer({ min: 1, max: 9 }),
    capacity: fc.integer({ min: 0, max: 3 }),
    reservations: fc.integer({ min: 0, max: 8 }),
    maxCohort: fc.integer({ min: 1, max: 8 }),
    entropy: fc.nat(),
  });
  fc.assert(
    fc.property(world, (w) => {
      const active = rows(w.stakes, w.coldkeys);
      const turn = Array.from({ length: w.reservations }, (_, n) => reservation(n, { hotkey: key(n) }));
      const coldkeyOf = (hotkey: string) => (hotkey === key(0) ? null : key(100));
      const ready = active.map(({ hotkey }) => ({ hotkey, height: 1, capacity: w.capacity }));
      const entropy = `0x${digest(`${w.entropy}`)}`;
      const members = drawMembers({ turn, active, ready, maxCohort: w.maxCohort, entropy, coldkeyOf });
      assert.ok(members.length <= w.maxCohort);
      const used = new Map<string, number>();
      for (const { reservation_id, sides } of members) {
        const miner = turn.find((row) => row.reservation_id === reservation_id) as Reservation;
        assert.notEqual(sides[0].coldkey, sides[1].coldkey);
        for (const side of sides) {
          assert.notEqual(side.hotkey, miner.hotkey);
          assert.notEqual(side.coldkey, coldkeyOf(miner.hotkey));
          used.set(side.hotkey, (used.get(side.hotkey) ?? 0) + 1);
        }
      }
      for (const count of used.values()) assert.ok(count <= w.capacity);
    }),
  );
});

test('coldkeys that were drawn before are left out while two others are left', () => {
  const active = rows(['1', '1', '1', '1']);
  const draw = (drawn: readonly string[], n: number) => {
    const turn = [reservation(n, { drawn })];
    const ready = active.map(({ hotkey }) => ({ hotkey, height: 1, capacity: 1 }));
    const members = drawMembers({
      turn,
      active,
      ready,
      maxCohort: 1,
      entropy: `0x${digest('e')}`,
      coldkeyOf: () => null,
    });
    return members[0]?.sides.map((side) => side.coldkey).sort();
  };
  const coldkeys = [100, 101, 102, 103].map(key);
  for (let n = 0; n < 20; n++) {
    assert.deepEqual(draw(coldkeys.slice(0, 2), n), coldkeys.slice(2).sort());
  }
  const pairs = new Set(Array.from({ length: 40 }, (_, n) => draw(coldkeys.slice(0, 3), n)?.join()));
  assert.ok(pairs.size > 3, 'with one fresh coldkey everybody may be drawn');
});
