import type { Integer } from '../fields/index.ts';
import { canonicalDigest, canonicalJson, compareCodePoints, compareDecimals, parseSpeedup } from '../identity/index.ts';
import { DOMAIN } from './constants.ts';
import { SettlementError, type SettlementErrorCode } from './errors.ts';
import { INDEPENDENT, type Qualification, speedPolicyOf } from './qualification.ts';

/** Two independent passes of one contribution, ready to settle (`protocol.md` section 7). */
export interface SettlementCandidate {
  readonly primary: Qualification;
  readonly reproduction: Qualification;
  readonly digest: string;
  /** The lower of the two speedups. */
  readonly speedup: string;
}

const EQUAL = [
  'lane',
  'arena_digest',
  'reservation_digest',
  'finalized_block',
  'event_index',
  'event_subindex',
  'hotkey',
  'target_id',
  'members',
  'selected_delta_digest',
  'arm_digest',
  'incumbent_stack_digest',
  'incumbent_tree_digest',
  'candidate_stack_digest',
  'candidate_tree_digest',
  'incumbent_manifest',
  'candidate_manifest',
  'proposal_digest',
] as const;

/**
 * Forms a new candidate: the pair rules, and audits on both passes or orientations on both.
 * @throws SettlementError PAIR_*
 */
export function formCandidate(primary: Qualification, reproduction: Qualification): SettlementCandidate {
  const candidate = formLegacyCandidate(primary, reproduction);
  const isAudited = primary.audit_policy !== undefined;
  const isOriented = primary.resident_lane_orientation !== undefined;
  if (!isAudited && !isOriented) refuse('PAIR_LEGACY', 'audit_policy');
  return candidate;
}

/**
 * Forms a candidate by the pair rules alone, which also read history without audits.
 * @throws SettlementError PAIR_DIFFERS, PAIR_REUSED, PAIR_AUDIT, PAIR_LANES
 */
export function formLegacyCandidate(primary: Qualification, reproduction: Qualification): SettlementCandidate {
  for (const key of EQUAL) {
    if (canonicalJson(primary[key]) !== canonicalJson(reproduction[key])) refuse('PAIR_DIFFERS', key);
  }
  if (speedPolicyOf(primary) !== speedPolicyOf(reproduction)) refuse('PAIR_DIFFERS', 'speed_evidence_policy_digest');
  for (const key of INDEPENDENT) if (primary[key] === reproduction[key]) refuse('PAIR_REUSED', key);
  checkAudits(primary, reproduction);
  checkLanes(primary, reproduction);
  const isPrimaryLower = compareDecimals(parseSpeedup(primary.speedup), parseSpeedup(reproduction.speedup)) <= 0;
  return {
    primary,
    reproduction,
    digest: candidateDigest(primary, reproduction),
    speedup: isPrimaryLower ? primary.speedup : reproduction.speedup,
  };
}

/** (block, event_index, event_subindex, reservation_digest): the order of `protocol.md`, not of peers. */
export function finalizedOrder(candidate: SettlementCandidate): readonly [Integer, Integer, Integer, string] {
  const { finalized_block, event_index, event_subindex, reservation_digest } = candidate.primary;
  return [finalized_block, event_index, event_subindex, reservation_digest];
}

/** Compares by {@link finalizedOrder}. */
export function compareFinalized(a: SettlementCandidate, b: SettlementCandidate): number {
  const [x, y] = [finalizedOrder(a), finalizedOrder(b)];
  for (const i of [0, 1, 2] as const) if (x[i] !== y[i]) return x[i] < y[i] ? -1 : 1;
  return compareCodePoints(x[3], y[3]);
}

function candidateDigest(primary: Qualification, reproduction: Qualification): string {
  const pair = { primary, reproduction };
  if (primary.resident_lane_orientation !== undefined) return canonicalDigest(DOMAIN.candidateResident, pair);
  return canonicalDigest(primary.audit_policy === undefined ? DOMAIN.candidate : DOMAIN.candidateAudited, pair);
}

function checkAudits(a: Qualification, b: Qualification): void {
  if (a.audit_policy === undefined && b.audit_policy === undefined) return;
  if (a.audit_policy === undefined || b.audit_policy === undefined) refuse('PAIR_AUDIT', 'audit_policy');
  if (a.audit_control_digest !== b.audit_control_digest) refuse('PAIR_AUDIT', 'audit_control_digest');
  if (a.audit_policy.validator_seed === b.audit_policy.validator_seed) refuse('PAIR_AUDIT', 'validator_seed');
  if (a.audit_evidence_digest === b.audit_evidence_digest) refuse('PAIR_AUDIT', 'audit_evidence_digest');
}

function checkLanes(a: Qualification, b: Qualification): void {
  const x = a.resident_lane_orientation;
  const y = b.resident_lane_orientation;
  if (x === undefined && y === undefined) return;
  if (x === undefined || y === undefined) refuse('PAIR_LANES', 'resident_lane_orientation');
  const isExchanged =
    x.speed_evidence_policy_digest === y.speed_evidence_policy_digest &&
    x.control_digest === y.control_digest &&
    x.baseline_physical_lane_digest === y.candidate_physical_lane_digest &&
    x.candidate_physical_lane_digest === y.baseline_physical_lane_digest &&
    x.baseline_physical_lane_digest !== x.candidate_physical_lane_digest;
  if (!isExchanged) refuse('PAIR_LANES', 'resident_lane_orientation');
}

function refuse(code: SettlementErrorCode, field: string): never {
  throw new SettlementError(code, undefined, { field });
}
