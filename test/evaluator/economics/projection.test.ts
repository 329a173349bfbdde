import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  allocate,
  type DiscoveryClaim,
  EconomicsError,
  type EconomicsErrorCode,
  type EmissionsPolicy,
  type ProjectionContext,
  parseMembers,
  projectWeights,
  type StandingClaim,
  standingCredit,
} from '../../../evaluator/economics/index.ts';
import { contributionDigest, withEntries } from '../../../evaluator/manifest/index.ts';
import { ARENA, CATALOG, digest, proposal, stockStack } from '../settle/fixtures.ts';

const POLICY: EmissionsPolicy = {
  schema_version: 1,
  policy_version: 'cacheon.emissions.v1',
  half_life_blocks: 100,
  discovery_lifetime_blocks: 50,
  discovery_pool_ppm: 100_000,
};
const TARGETS = ['linear.matmul', 'attention.decode', 'norm.rmsnorm'];
const code = (expected: EconomicsErrorCode) => (error: unknown) =>
  error instanceof EconomicsError && error.code === expected;

function context(members: readonly string[]): ProjectionContext {
  return {
    chain_scope_digest: digest('scope'),
    validator_hotkey: 'v',
    current_block: 1000,
    current_block_hash: `0x${digest('block')}`,
    metagraph_members: ['v', ...members].map((hotkey, uid) => ({ uid, hotkey })),
  };
}

function arena(rows: readonly { hotkey: string; ppm: number; block: number }[]) {
  const refs = rows.map((_, i) => proposal(TARGETS[i] as string, `${i}`));
  const claims = rows.map(({ hotkey, ppm, block }, i): StandingClaim => {
    const ref = refs[i] as (typeof refs)[number];
    return {
      arena_digest: ARENA,
      target_id: ref.target_id,
      target_spec_digest: ref.target_spec_digest,
      contribution_digest: contributionDigest(ref),
      hotkey,
      speedup_ppm: ppm,
      crowned_block: block,
      retained_evidence_digest: digest(`evidence ${i}`),
    };
  });
  return { catalog: CATALOG, stack: withEntries(stockStack(), refs), stackGeneration: 1, claims };
}

const bounty = (hotkey: string, seed: string, block: number): DiscoveryClaim => ({
  proposal_digest: digest(`proposal ${seed}`),
  retained_evidence_digest: digest(`found ${seed}`),
  hotkey,
  bounty_units: 5,
  awarded_block: block,
});

describe('projectWeights', () => {
  const row = fc.record({
    hotkey: fc.constantFrom('a', 'b', 'c', 'gone'),
    ppm: fc.integer({ min: 1_000_100, max: 16_000_000 }),
    block: fc.integer({ min: 900, max: 1000 }),
  });

  test('sums to exactly one million, whatever the claims', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 3 }), fc.boolean(), (rows, hasBounty) => {
        const claims = hasBounty ? [bounty('b', 'x', 990)] : [];
        const { weights } = projectWeights(POLICY, context(['a', 'b', 'c']), [arena(rows)], claims);
        assert.equal(
          [...weights.values()].reduce((sum, ppm) => sum + ppm, 0n),
          1_000_000n,
        );
        assert.ok([...weights.keys()].every((hotkey) => hotkey !== 'gone'));
      }),
      { numRuns: 40 },
    );
  });

  test("a departed hotkey's credit goes to the validator", () => {
    const rows = [
      { hotkey: 'gone', ppm: 1_100_000, block: 1000 },
      { hotkey: 'a', ppm: 1_100_000, block: 1000 },
    ];
    const { weights } = projectWeights(POLICY, context(['a']), [arena(rows)], []);
    assert.deepEqual(
      [...weights],
      [
        ['a', 500_000n],
        ['v', 500_000n],
      ],
    );
  });

  test('an expired bounty opens no pool; a live one needs one', () => {
    const rows = [{ hotkey: 'a', ppm: 1_100_000, block: 1000 }];
    const { weights, expired } = projectWeights(POLICY, context(['a', 'b']), [arena(rows)], [bounty('b', 'x', 950)]);
    assert.deepEqual([...weights], [['a', 1_000_000n]]);
    assert.equal(expired.length, 1);
    const closed = { ...POLICY, discovery_pool_ppm: 0 };
    const live = [bounty('b', 'x', 951)];
    assert.throws(() => projectWeights(closed, context(['b']), [arena(rows)], live), code('DISCOVERY_POOL_CLOSED'));
    assert.throws(
      () => projectWeights(POLICY, context(['b']), [arena(rows)], [...live, bounty('a', 'x', 960)]),
      code('CLAIM_REPEATED'),
    );
  });

  test('refuses claims that do not match the active targets', () => {
    const good = arena([{ hotkey: 'a', ppm: 1_100_000, block: 1000 }]);
    const claim = good.claims[0] as StandingClaim;
    const project = (claims: readonly StandingClaim[]) =>
      projectWeights(POLICY, context(['a']), [{ ...good, claims }], []);
    assert.throws(() => project([]), code('CLAIM_COVERAGE'));
    assert.throws(() => project([claim, claim]), code('CLAIM_COVERAGE'));
    assert.throws(() => project([{ ...claim, target_id: 'norm.rmsnorm' }]), code('CLAIM_COVERAGE'));
    assert.throws(() => project([{ ...claim, arena_digest: digest('other') }]), code('CLAIM_STALE'));
    assert.throws(() => project([{ ...claim, crowned_block: 1001 }]), code('CLAIM_FROM_THE_FUTURE'));
    assert.throws(() => projectWeights(POLICY, context(['a']), [good, good], []), code('ARENA_REPEATED'));
    assert.throws(() => projectWeights(POLICY, context(['a']), [arena([])], []), code('ARENA_EMPTY'));
  });
});

describe('credit', () => {
  test('is hyperbolic: a half after one half life, a third after two', () => {
    const at = (age: number) => standingCredit({ speedup_ppm: 1_600_000, crowned_block: 0 }, POLICY, age);
    assert.deepEqual([0, 100, 200, 500].map(at), [600_000n, 300_000n, 200_000n, 100_000n]);
  });

  test('never grows with age', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000_001, max: 9_000_000 }), fc.nat(100_000), fc.nat(1000), (ppm, age, more) => {
        const claim = { speedup_ppm: ppm, crowned_block: 0 };
        assert.ok(standingCredit(claim, POLICY, age + more) <= standingCredit(claim, POLICY, age));
      }),
    );
  });
});

describe('allocate', () => {
  test('gives what is left to the largest remainders, then by hotkey', () => {
    const thirds = allocate(new Map(['c', 'a', 'b'].map((hotkey) => [hotkey, 1n])), 100n);
    assert.deepEqual(Object.fromEntries(thirds), { a: 34n, b: 33n, c: 33n });
    const uneven = allocate(
      new Map([
        ['a', 1n],
        ['b', 2n],
      ]),
      100n,
    );
    assert.deepEqual(Object.fromEntries(uneven), { a: 33n, b: 67n });
  });

  test('refuses a total of zero', () => {
    assert.throws(() => allocate(new Map([['a', 0n]]), 100n), code('NO_CREDIT'));
  });
});

test('members are refused out of order or repeated', () => {
  for (const rows of [
    [
      { uid: 1, hotkey: 'a' },
      { uid: 0, hotkey: 'b' },
    ],
    [
      { uid: 0, hotkey: 'a' },
      { uid: 0, hotkey: 'b' },
    ],
    [
      { uid: 0, hotkey: 'a' },
      { uid: 1, hotkey: 'a' },
    ],
  ]) {
    assert.throws(() => parseMembers(rows), code('CONTEXT_MEMBERS'));
  }
});
