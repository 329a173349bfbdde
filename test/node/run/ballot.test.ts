import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CohortDuties, ReceiptDuty } from '../../../evaluator/peer/index.ts';
import { dueBallot } from '../../../node/run/places/ballot.ts';

function cohort(places: readonly number[], bitmap: string | null): CohortDuties {
  return {
    receipts: places.map((place) => ({ place }) as ReceiptDuty),
    ballot: {
      opening_height: 100,
      close_height: 108,
      previous: '0'.repeat(64),
      counted: bitmap !== null,
      bitmap: bitmap ?? '0'.repeat(16),
    },
  } as unknown as CohortDuties;
}

const bits = (text: string): string => text.padStart(16, '0');

test('a complete ballot goes out at once, an incomplete one near the close', () => {
  assert.deepEqual(dueBallot(cohort([0, 3], null), new Set([0, 3]), 101), { bitmap: bits('9'), places: [0, 3] });
  assert.equal(dueBallot(cohort([0, 3], null), new Set([0]), 101), null);
  assert.deepEqual(dueBallot(cohort([0, 3], null), new Set([0]), 104), { bitmap: bits('1'), places: [0] });
});

test('what a counted ballot names already is not named again, what came since is', () => {
  assert.equal(dueBallot(cohort([0, 3], bits('9')), new Set([0, 3]), 102), null);
  assert.equal(dueBallot(cohort([0, 3], bits('1')), new Set([0]), 105), null);
  assert.equal(dueBallot(cohort([0, 3], bits('1')), new Set([0, 3]), 105)?.bitmap, bits('9'));
});

test('an empty ballot says that this validator is present', () => {
  assert.deepEqual(dueBallot(cohort([], null), new Set(), 101), { bitmap: bits('0'), places: [] });
  assert.equal(dueBallot(cohort([], bits('0')), new Set(), 102), null);
});

test('a ballot that could not be included in time does not go out', () => {
  assert.notEqual(dueBallot(cohort([0], null), new Set([0]), 107), null);
  assert.equal(dueBallot(cohort([0], null), new Set([0]), 108), null);
});

test('the highest place has its own bit', () => {
  assert.equal(dueBallot(cohort([63], null), new Set([63]), 101)?.bitmap, '8000000000000000');
});
