import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  EconomicsError,
  type EmissionsPolicy,
  projectPeerWeights,
  type StandingClaim,
  weightVector,
} from '../../../evaluator/economics/index.ts';
import { digest } from '../settle/fixtures.ts';

const POLICY: EmissionsPolicy = {
  schema_version: 1,
  policy_version: 'cacheon.emissions.v1',
  half_life_blocks: 100_000,
  discovery_lifetime_blocks: 1,
  discovery_pool_ppm: 0,
};
const OWNER = 'owner';
const members = (hotkeys: readonly string[]) => hotkeys.map((hotkey, uid) => ({ uid, hotkey }));

function claim(hotkey: string, ppm: number, block = 1000): StandingClaim {
  return {
    arena_digest: digest('arena'),
    target_id: `target.${hotkey}`,
    target_spec_digest: digest('spec'),
    contribution_digest: digest(hotkey),
    hotkey,
    speedup_ppm: ppm,
    crowned_block: block,
    retained_evidence_digest: digest(`evidence ${hotkey}`),
  };
}

const project = (claims: readonly StandingClaim[], hotkeys: readonly string[], height = 1000) =>
  projectPeerWeights({ policy: POLICY, claims, members: members(hotkeys), ownerHotkey: OWNER, height });

describe('projectPeerWeights', () => {
  test("a departed hotkey's share goes to the owner's hotkey", () => {
    const weights = project([claim('a', 1_300_000), claim('gone', 1_100_000)], [OWNER, 'a']);
    assert.deepEqual(Object.fromEntries(weights), { a: 750_000n, [OWNER]: 250_000n });
  });

  test('without claims, and without credit, everything goes to the owner', () => {
    assert.deepEqual([...project([], [OWNER])], [[OWNER, 1_000_000n]]);
    const dust = [claim('a', 1_000_001, 0)];
    assert.deepEqual([...project(dust, [OWNER, 'a'], 1)], [[OWNER, 1_000_000n]]);
  });

  test('refuses a claim from after the height', () => {
    assert.throws(
      () => project([claim('a', 1_300_000, 1001)], [OWNER, 'a']),
      (error) => error instanceof EconomicsError && error.code === 'CLAIM_FROM_THE_FUTURE',
    );
  });

  test('sums to one million and does not depend on the order of claims or members', () => {
    const rows = fc.uniqueArray(
      fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.integer({ min: 1_000_001, max: 9e6 })),
      {
        selector: ([hotkey]) => hotkey,
      },
    );
    fc.assert(
      fc.property(rows, fc.subarray(['a', 'b', 'c', 'd', 'e']), (claims, present) => {
        const list = claims.map(([hotkey, ppm]) => claim(hotkey, ppm));
        const weights = project(list, [OWNER, ...present]);
        assert.equal(
          [...weights.values()].reduce((sum, ppm) => sum + ppm, 0n),
          1_000_000n,
        );
        assert.deepEqual([...project(list.toReversed(), [...present.toReversed(), OWNER])], [...weights]);
      }),
    );
  });
});

describe('weightVector', () => {
  test('scales to the largest, drops zeros, ascends by uid', () => {
    const weights = new Map([
      ['a', 600_000n],
      ['b', 399_999n],
      ['c', 1n],
    ]);
    const vector = weightVector(weights, members([OWNER, 'c', 'b', 'a']), OWNER);
    assert.deepEqual(vector, { kind: 'weights', uids: [2, 3], values: [43_689, 65_535] });
  });

  test('NO_BURN_TARGET only where the owner would get a share', () => {
    const missing = members(['a']);
    assert.deepEqual(weightVector(project([], ['a']), missing, OWNER), { kind: 'NO_BURN_TARGET', ownerHotkey: OWNER });
    assert.equal(weightVector(project([claim('a', 1_200_000)], ['a']), missing, OWNER).kind, 'weights');
  });
});
