import { ObjectReader } from '../fields/index.ts';
import { canonicalDigest } from '../identity/index.ts';
import { DOMAIN, RESIDENT_SPEED_POLICY_DIGEST } from './constants.ts';

/** Which lane ran what in one pass; for peers the lanes are lane slot digests (`names.md`, Orientation). */
export interface LaneOrientation {
  readonly speed_evidence_policy_digest: string;
  readonly control_digest: string;
  readonly baseline_physical_lane_digest: string;
  readonly candidate_physical_lane_digest: string;
}

/** Speed policy digests under which a qualification must carry an orientation: the ruling consensus object's. */
export type ResidentPolicies = ReadonlySet<string>;

/**
 * Parses a closed lane orientation.
 * @throws FieldError
 */
export function parseOrientation(value: unknown, at: string): LaneOrientation {
  const reader = new ObjectReader(value, at, [
    'speed_evidence_policy_digest',
    'control_digest',
    'baseline_physical_lane_digest',
    'candidate_physical_lane_digest',
  ]);
  return {
    speed_evidence_policy_digest: reader.digest('speed_evidence_policy_digest'),
    control_digest: reader.digest('control_digest'),
    baseline_physical_lane_digest: reader.digest('baseline_physical_lane_digest'),
    candidate_physical_lane_digest: reader.digest('candidate_physical_lane_digest'),
  };
}

/** True under the reference's pinned resident policy and under those of the ruling consensus object. */
export function isResidentPolicy(speedPolicyDigest: string, policies: ResidentPolicies): boolean {
  return speedPolicyDigest === RESIDENT_SPEED_POLICY_DIGEST || policies.has(speedPolicyDigest);
}

/** control_digest of a peer's orientation (`names.md`). */
export function residentControlDigest(arenaDigest: string, speedPolicyDigest: string): string {
  return canonicalDigest(DOMAIN.residentControl, { arena_digest: arenaDigest, speed_policy_digest: speedPolicyDigest });
}

/** Digest of lane slot 0 or 1 of an arena, the same on every host (`design.md`, Lanes and arenas). */
export function laneSlotDigest(arenaDigest: string, index: 0 | 1): string {
  return canonicalDigest(DOMAIN.laneSlot, { arena_digest: arenaDigest, index });
}

/** Side 0 runs the baseline on slot 0 and the candidate on slot 1; side 1 the other way round. */
export function peerOrientation(arenaDigest: string, speedPolicyDigest: string, side: 0 | 1): LaneOrientation {
  return {
    speed_evidence_policy_digest: speedPolicyDigest,
    control_digest: residentControlDigest(arenaDigest, speedPolicyDigest),
    baseline_physical_lane_digest: laneSlotDigest(arenaDigest, side),
    candidate_physical_lane_digest: laneSlotDigest(arenaDigest, side === 0 ? 1 : 0),
  };
}
