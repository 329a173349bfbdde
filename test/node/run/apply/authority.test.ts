import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../../evaluator/identity/index.ts';
import type { PlaceContext, RipeCandidate } from '../../../../evaluator/peer/index.ts';
import { StepAuthority } from '../../../../node/run/apply/authority.ts';
import type { Grading } from '../../../../node/store/index.ts';
import { digest } from '../../../evaluator/peer/world.ts';
import { SPEED_POLICY } from '../../../evaluator/settle/fixtures.ts';
import { genesis, passed } from './chain.ts';

const LEDGER = genesis();
const RECEIPTS = [digest('receipt 0 0'), digest('receipt 0 1')] as const;

/** An authority that has been asked for both results, as the fold does before it asks for the pair. */
function authorityOf(gradings: readonly Grading[], speedPolicyDigest = SPEED_POLICY): StepAuthority {
  const authority = new StepAuthority(LEDGER, {
    grading: (cohort, place, receipt) =>
      gradings.find((row) => row.cohort_index === cohort && row.place === place && row.receipt_digest === receipt) ??
      null,
    speedPolicyDigest,
    genesisOf: () => LEDGER,
  });
  for (const [place, receipt] of RECEIPTS.entries()) {
    authority.graded(receipt, { cohort_index: 0, place } as PlaceContext);
  }
  return authority;
}

const both = (): [Grading, Grading] => [passed(LEDGER, 0), passed(LEDGER, 1)];

/** A grading whose qualification has some fields changed. */
function changed(grading: Grading, change: JsonObject): Grading {
  const proof = grading.qualification as { attempt: JsonObject; qualification: JsonObject };
  return { ...grading, qualification: { ...proof, qualification: { ...proof.qualification, ...change } } };
}

test('a result is graded only as the place says at which it was counted', () => {
  const authority = authorityOf(both());
  const at = (cohort_index: number, place: number): PlaceContext => ({ cohort_index, place }) as PlaceContext;
  assert.equal(authority.graded(RECEIPTS[0], at(0, 0))?.result, 'PASS');
  assert.equal(authority.graded(RECEIPTS[0], at(0, 1)), null);
  assert.equal(authority.graded(RECEIPTS[0], at(1, 0)), null);
});

test('two passes that reproduce each other are a pair', () => {
  assert.equal(authorityOf(both()).acceptsPair(RECEIPTS), true);
});

test('what section 7 refuses is no candidate, and nothing else happens', () => {
  const [a, b] = both();
  const refused: [string, Grading, Grading][] = [
    ['of another bundle', a, passed(LEDGER, 1, 'two')],
    ['of the same authority', a, changed(b, { qualification_authority_digest: authorityField(a) })],
    ['on the same lanes', a, changed(b, { resident_lane_orientation: orientationField(a) })],
  ];
  for (const [what, one, two] of refused) assert.equal(authorityOf([one, two]).acceptsPair(RECEIPTS), false, what);
});

function fieldOf(grading: Grading, name: string): string {
  return (grading.qualification as { qualification: Record<string, string> }).qualification[name] as string;
}
const authorityField = (grading: Grading): string => fieldOf(grading, 'qualification_authority_digest');
const orientationField = (grading: Grading): string => fieldOf(grading, 'resident_lane_orientation');

test('a fault of ours decides nothing: it is thrown', () => {
  const [a, b] = both();
  assert.throws(() => authorityOf([a, { ...b, qualification: null }]).acceptsPair(RECEIPTS), /no qualification/);
  assert.throws(() => authorityOf([a]).acceptsPair(RECEIPTS), /no qualification/);
  const malformed = { ...b, qualification: { attempt: {}, qualification: { lane: 'registered' } } };
  assert.throws(() => authorityOf([a, malformed]).acceptsPair(RECEIPTS));
  // Stored under another speed policy than the one that rules.
  assert.throws(() => authorityOf(both(), digest('another policy')).acceptsPair(RECEIPTS), {
    name: /./,
    code: /^QUALIFICATION_/,
  });
});

test('settling moves the ledger of the step alone; an authority that is thrown away leaves no trace', () => {
  const [a] = both();
  const ripe: RipeCandidate = {
    reservation_id: digest('reservation one'),
    receipts: RECEIPTS,
    speedup: '1.2',
    primary: a.graded,
  };
  const authority = authorityOf(both());
  const before = authority.ledger();
  const after = authority.settle([ripe], 0);
  assert.notEqual(after.stack_digest, before.stack_digest);
  assert.equal(authority.ledgerAfter.stack_digest, after.stack_digest);
  assert.equal(authority.events.length, 3);
  assert.equal(after.journal_head, authority.ledgerAfter.journal.head);
  assert.deepEqual(authorityOf(both()).ledger(), before);
  assert.deepEqual(authorityOf(both()).settle([ripe], 0), after, 'and the same again gives the same');
});
