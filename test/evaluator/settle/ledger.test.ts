import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { canonicalJson, parseStrictJson } from '../../../evaluator/identity/index.ts';
import { contributionDigest } from '../../../evaluator/manifest/index.ts';
import {
  claimsDigest,
  genesisLedger,
  type Ledger,
  parseLedger,
  type RipeSettlement,
  replayEvents,
  restackedLedger,
  SettlementError,
  type SettlementErrorCode,
  type SettlementEvent,
  settleCohort,
  settlementEvidenceDigest,
} from '../../../evaluator/settle/index.ts';
import { digest, type Proposed, proposal, ripe, STOCK_TREE, stockStack } from './fixtures.ts';

const genesis = () => genesisLedger(stockStack(), STOCK_TREE);
const code = (expected: SettlementErrorCode) => (error: unknown) =>
  error instanceof SettlementError && error.code === expected;
const types = (events: readonly SettlementEvent[]) => events.map((event) => `${event.event_type} ${event.reason}`);

/** Crowns proposals one after the other. */
function crownAll(proposals: readonly Proposed[]): { ledger: Ledger; events: SettlementEvent[] } {
  const events: SettlementEvent[] = [];
  let ledger = genesis();
  for (const proposed of proposals) {
    const settled = settleCohort(ledger, [ripe(ledger, proposed)], 0);
    ledger = settled.ledger;
    events.push(...settled.events);
  }
  return { ledger, events };
}

describe('settleCohort', () => {
  test('crowns the winner and makes its claim', () => {
    const ledger = genesis();
    const row = ripe(ledger, { target: 'linear.matmul', seed: 'a', block: 42, speedups: ['1.3000005', '1.25'] });
    const settled = settleCohort(ledger, [row], 0);
    assert.deepEqual(types(settled.events), [
      'CROWN qualified_win',
      'ADOPTION adopted',
      'STACK_TRANSITION incumbent_updated',
    ]);
    const entry = proposal('linear.matmul', 'a');
    assert.deepEqual(settled.ledger.manifest.entries, { 'linear.matmul': entry });
    assert.equal(settled.ledger.tree_digest, digest('tree a'));
    assert.deepEqual(settled.ledger.claims, [
      {
        arena_digest: ledger.manifest.arena_digest,
        target_id: 'linear.matmul',
        target_spec_digest: entry.target_spec_digest,
        contribution_digest: contributionDigest(entry),
        hotkey: row.candidate.primary.hotkey,
        speedup_ppm: 1_250_000,
        crowned_block: 42,
        retained_evidence_digest: settlementEvidenceDigest(settled.evidence),
      },
    ]);
  });

  test('holds the others in the given order, whatever their speed', () => {
    const ledger = genesis();
    const rows = [
      ripe(ledger, { target: 'attention.decode', seed: 'x', speedups: ['9', '9'] }),
      ripe(ledger, { target: 'linear.matmul', seed: 'y', block: 3 }),
      ripe(ledger, { target: 'linear.matmul', seed: 'z', block: 1 }),
    ];
    const { events } = settleCohort(ledger, rows, 1);
    assert.deepEqual(types(events).slice(0, 3), [
      'HOLD incumbent_advanced',
      'HOLD conflict_lost',
      'CROWN qualified_win',
    ]);
    assert.equal(events[0]?.candidate_digest, rows[0]?.candidate.digest);
  });

  test('an atomic winner neutralizes its members and takes their claims away', () => {
    const { ledger, events } = crownAll([
      { target: 'linear.matmul', seed: 'm' },
      { target: 'activation.silu_and_mul', seed: 's' },
      { target: 'norm.rmsnorm', seed: 'n' },
      { target: 'ffn.gated.v1', seed: 'f' },
    ]);
    assert.deepEqual(
      ledger.claims.map((claim) => claim.target_id),
      ['ffn.gated.v1', 'norm.rmsnorm'],
    );
    const neutralized = events.filter((event) => event.event_type === 'NEUTRALIZATION');
    assert.deepEqual(
      neutralized.map((event) => [event.target_id, event.subject_digest]),
      [
        ['activation.silu_and_mul', contributionDigest(proposal('activation.silu_and_mul', 's'))],
        ['linear.matmul', contributionDigest(proposal('linear.matmul', 'm'))],
      ],
    );
  });

  test('a replaced target retires its prior and keeps one claim', () => {
    const { ledger, events } = crownAll([
      { target: 'norm.rmsnorm', seed: '1', block: 5 },
      { target: 'norm.rmsnorm', seed: '2', block: 6 },
    ]);
    assert.deepEqual(
      ledger.claims.map((claim) => claim.crowned_block),
      [6],
    );
    const retired = events.find((event) => event.event_type === 'RETIREMENT');
    assert.equal(retired?.subject_digest, contributionDigest(proposal('norm.rmsnorm', '1')));
  });

  test('refuses a winner that was measured on an earlier incumbent', () => {
    const before = genesis();
    const stale = ripe(before, { target: 'norm.rmsnorm', seed: 'late' });
    const { ledger } = crownAll([{ target: 'linear.matmul', seed: 'first' }]);
    assert.throws(() => settleCohort(ledger, [stale], 0), code('SETTLE_WINNER'));
    const fresh = ripe(ledger, { target: 'norm.rmsnorm', seed: 'fresh' });
    assert.equal(types(settleCohort(ledger, [stale, fresh], 1).events)[0], 'HOLD stale_incumbent');
  });

  test('refuses a candidate that is not the one planned change', () => {
    const ledger = genesis();
    const row = ripe(ledger, { target: 'norm.rmsnorm', seed: 'r' });
    const forge = (fields: object): RipeSettlement => {
      const { primary, reproduction } = row.candidate;
      const candidate = { ...row.candidate, primary: { ...primary, ...fields }, reproduction };
      return { ...row, candidate };
    };
    assert.throws(
      () => settleCohort(ledger, [forge({ arm_digest: digest('other arm') })], 0),
      code('SETTLE_NOT_MARGINAL'),
    );
    assert.throws(() => settleCohort(ledger, [forge({ members: ['linear.matmul'] })], 0), code('SETTLE_NOT_MARGINAL'));
    const wider = crownAll([
      { target: 'linear.matmul', seed: 'q' },
      { target: 'norm.rmsnorm', seed: 'r' },
    ]).ledger;
    const smuggled = { candidate_manifest: wider.manifest, candidate_stack_digest: wider.stack_digest };
    assert.throws(() => settleCohort(ledger, [forge(smuggled)], 0), code('SETTLE_NOT_MARGINAL'));
  });

  test('refuses a speedup that floors to no credit, repeated reservations and foreign attempts', () => {
    const ledger = genesis();
    const tiny = ripe(ledger, { target: 'norm.rmsnorm', seed: 't', speedups: ['1.0000009', '1.5'] });
    assert.throws(() => settleCohort(ledger, [tiny], 0), code('SETTLE_SPEEDUP_TOO_SMALL'));
    const row = ripe(ledger, { target: 'norm.rmsnorm', seed: 'r' });
    assert.throws(() => settleCohort(ledger, [row, row], 0), code('SETTLE_REPEATED'));
    assert.throws(() => settleCohort(ledger, [{ ...row, attempts: tiny.attempts }], 0), code('EVIDENCE_MISMATCH'));
  });
});

describe('journal', () => {
  const targets = ['linear.matmul', 'attention.decode', 'activation.silu_and_mul', 'norm.rmsnorm'];

  test('replays from genesis to the head, and notices any change', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...targets), { minLength: 1, maxLength: 5 }), fc.nat(), (chosen, pick) => {
        const { ledger, events } = crownAll(chosen.map((target, i) => ({ target, seed: `${i}` })));
        assert.deepEqual(replayEvents({ sequence: 0, head: '' }, events), ledger.journal);
        const at = pick % events.length;
        const without = events.filter((_, i) => i !== at);
        const last = replayOrNull(without);
        assert.notEqual(last, ledger.journal.head);
        const changed = events.map((event, i) => (i === at ? { ...event, subject_digest: digest('forged') } : event));
        assert.notEqual(replayOrNull(changed), ledger.journal.head);
      }),
      { numRuns: 15 },
    );
  });

  function replayOrNull(events: readonly SettlementEvent[]): string | null {
    try {
      return replayEvents({ sequence: 0, head: '' }, events).head;
    } catch (error) {
      assert.ok(code('JOURNAL_BROKEN')(error));
      return null;
    }
  }
});

describe('parseLedger', () => {
  const { ledger } = crownAll([
    { target: 'norm.rmsnorm', seed: '1' },
    { target: 'linear.matmul', seed: '2' },
  ]);
  const stored = () => parseStrictJson(canonicalJson(ledger)) as unknown as Record<string, unknown>;

  test('reads back what was stored', () => {
    assert.equal(canonicalJson(parseLedger(stored())), canonicalJson(ledger));
  });

  test('claims_digest depends on neither order nor key order', () => {
    const shuffled = ledger.claims.toReversed().map((claim) => Object.fromEntries(Object.entries(claim).reverse()));
    assert.equal(claimsDigest(shuffled as never), claimsDigest(ledger.claims));
  });

  const damages: readonly [string, (ledger: Record<string, unknown>) => void][] = [
    ['a foreign stack digest', (l) => Object.assign(l, { stack_digest: digest('x') })],
    ['a missing claim', (l) => (l['claims'] as unknown[]).pop()],
    ['claims out of order', (l) => (l['claims'] as unknown[]).reverse()],
    [
      'a claim for another contribution',
      (l) => Object.assign((l['claims'] as object[])[0] as object, { contribution_digest: digest('x') }),
    ],
    ['an empty head after events', (l) => Object.assign(l['journal'] as object, { head: '' })],
  ];
  for (const [name, damage] of damages) {
    test(`refuses ${name}`, () => {
      const value = stored();
      damage(value);
      assert.throws(() => parseLedger(value), code('LEDGER_INCONSISTENT'));
    });
  }

  test('another arena starts without claims and goes on with the journal', () => {
    const moved = restackedLedger(ledger, stockStack(), STOCK_TREE);
    assert.deepEqual(moved.claims, []);
    assert.deepEqual(moved.journal, ledger.journal);
    assert.throws(() => genesisLedger(ledger.manifest, STOCK_TREE), code('LEDGER_INCONSISTENT'));
  });
});
