import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  formCandidate,
  genesisLedger,
  INDEPENDENT,
  parseQualification,
  peerOrientation,
  SettlementError,
  type SettlementErrorCode,
} from '../../../evaluator/settle/index.ts';
import { ARENA, digest, qualificationPair, SPEED_POLICY, STOCK_TREE, stockStack } from './fixtures.ts';

const POLICIES = new Set([SPEED_POLICY]);
const [primary, reproduction] = qualificationPair(genesisLedger(stockStack(), STOCK_TREE), {
  target: 'norm.rmsnorm',
  seed: 'pair',
});
const code = (expected: SettlementErrorCode) => (error: unknown) =>
  error instanceof SettlementError && error.code === expected;
const form = (changes: object) =>
  formCandidate(parseQualification(primary, POLICIES), parseQualification({ ...reproduction, ...changes }, POLICIES));

describe('orientation of peers', () => {
  test("belongs to the ruling object's speed policy and to no other", () => {
    assert.throws(() => parseQualification(primary), code('QUALIFICATION_ORIENTATION'));
    const { resident_lane_orientation: _, ...bare } = primary;
    assert.throws(() => parseQualification(bare, POLICIES), code('QUALIFICATION_ORIENTATION'));
    assert.equal(parseQualification(primary, POLICIES).lane, 'registered');
  });

  test('has the control digest of arena and policy', () => {
    const orientation = { ...peerOrientation(ARENA, SPEED_POLICY, 0), control_digest: digest('other control') };
    const forged = { ...primary, resident_lane_orientation: orientation };
    assert.throws(() => parseQualification(forged, POLICIES), code('QUALIFICATION_ORIENTATION'));
  });

  test('must be exchanged between the sides', () => {
    assert.equal(form({}).speedup, '1.2');
    const same = { resident_lane_orientation: peerOrientation(ARENA, SPEED_POLICY, 0) };
    assert.throws(() => form(same), code('PAIR_LANES'));
  });
});

describe('independence', () => {
  for (const key of INDEPENDENT) {
    test(`${key} must differ`, () => {
      assert.throws(() => form({ [key]: primary[key] }), code('PAIR_REUSED'));
    });
  }
});
