import { canonicalDigest } from '../identity/index.ts';
import { laneSlotDigest } from '../settle/index.ts';

/** Side of a place: place 2i + s is member i, side s (`peer-protocol.md` section 3). */
export function sideOf(place: number): 0 | 1 {
  return place % 2 === 0 ? 0 : 1;
}

/** Lane slots of a side: side 0 has its baseline on slot 0, side 1 the other way round. */
export function laneSlots(side: 0 | 1): { readonly baseline: 0 | 1; readonly candidate: 0 | 1 } {
  return side === 0 ? { baseline: 0, candidate: 1 } : { baseline: 1, candidate: 0 };
}

/** The object whose digest is plan_digest (`names.md`). */
export interface PlanObject {
  readonly arm_digest: string;
  readonly place: number;
  readonly baseline_lane: string;
  readonly candidate_lane: string;
  readonly evaluation_digest: string;
  readonly speed_policy_digest: string;
}

export function planObject(input: {
  readonly armDigest: string;
  readonly place: number;
  readonly arenaDigest: string;
  readonly evaluationDigest: string;
  readonly speedPolicyDigest: string;
}): PlanObject {
  const slots = laneSlots(sideOf(input.place));
  return {
    arm_digest: input.armDigest,
    place: input.place,
    baseline_lane: laneSlotDigest(input.arenaDigest, slots.baseline),
    candidate_lane: laneSlotDigest(input.arenaDigest, slots.candidate),
    evaluation_digest: input.evaluationDigest,
    speed_policy_digest: input.speedPolicyDigest,
  };
}

/** CD("cacheon.peer.plan.v1", plan). */
export function planDigest(plan: PlanObject): string {
  return canonicalDigest('cacheon.peer.plan.v1', plan);
}

/** The object whose digest is anchored before measuring (`peer-protocol.md` section 9). */
export interface Attempt {
  readonly cohort_index: number;
  /** The validator's hotkey, SS58. */
  readonly hotkey: string;
  readonly incumbent_stack_digest: string;
  readonly place: number;
  /** Null if the bundle cannot be had, or fails before planning. */
  readonly plan_digest: string | null;
  readonly reservation_id: string;
  readonly secret_commitment: string;
}

/** CD("cacheon.peer.attempt.v1", attempt). */
export function attemptDigest(attempt: Attempt): string {
  return canonicalDigest('cacheon.peer.attempt.v1', attempt);
}

/** Digest of the authority for one place: the chain's draw (`names.md`, the seven digests). */
export function authorityDigest(authority: {
  readonly consensus_digest: string;
  readonly cohort_index: number;
  readonly place: number;
  readonly hotkey: string;
}): string {
  return canonicalDigest('cacheon.peer.authority.v1', authority);
}
