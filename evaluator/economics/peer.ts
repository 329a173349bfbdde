import type { Integer } from '../fields/index.ts';
import { compareCodePoints } from '../identity/index.ts';
import { allocate, type ByHotkey, sumByHotkey } from './allocate.ts';
import type { StandingClaim } from './claims.ts';
import { ONE_PPM } from './constants.ts';
import type { MetagraphMember } from './context.ts';
import { type EmissionsPolicy, standingCredit } from './policy.ts';

/** Everything that the vector of a height follows from (`peer-protocol.md` section 11); no validator is in it. */
export interface PeerProjectionInput {
  readonly policy: EmissionsPolicy;
  /** The claims after the last cohort that closed at or before the height. */
  readonly claims: readonly StandingClaim[];
  /** The membership of the state at the height; hotkeys are SS58. */
  readonly members: readonly MetagraphMember[];
  /** `SubnetOwnerHotkey` at the height, SS58. */
  readonly ownerHotkey: string;
  readonly height: Integer;
}

/** Weights ready for the chain, or why there are none. */
export type WeightVector =
  | { readonly kind: 'weights'; readonly uids: readonly number[]; readonly values: readonly number[] }
  | { readonly kind: 'NO_BURN_TARGET'; readonly ownerHotkey: string };

const U16_MAX = 65_535n;

/**
 * Projects the standing claims to parts per million by hotkey, summing to exactly 1,000,000. A departed hotkey's
 * share, and everything when there is no credit, goes to the subnet owner's hotkey: the same for every validator.
 * @throws EconomicsError CLAIM_FROM_THE_FUTURE
 */
export function projectPeerWeights(input: PeerProjectionInput): ByHotkey {
  const present = new Set(input.members.map((member) => member.hotkey));
  const credits = sumByHotkey(
    input.claims.map((claim) => [
      present.has(claim.hotkey) ? claim.hotkey : input.ownerHotkey,
      standingCredit(claim, input.policy, input.height),
    ]),
  );
  const hasCredit = [...credits.values()].some((credit) => credit > 0n);
  const shares = hasCredit ? allocate(credits, BigInt(ONE_PPM)) : new Map([[input.ownerHotkey, BigInt(ONE_PPM)]]);
  return new Map([...shares].filter(([, ppm]) => ppm > 0n).sort(([a], [b]) => compareCodePoints(a, b)));
}

/**
 * The u16 vector to publish (`names.md`, Weights): floor(ppm x 65535 / largest ppm), zeros dropped, uids ascending.
 * @returns NO_BURN_TARGET if the owner's hotkey has a share but no uid
 */
export function weightVector(
  weights: ByHotkey,
  members: readonly MetagraphMember[],
  ownerHotkey: string,
): WeightVector {
  const uids = new Map(members.map((member) => [member.hotkey, Number(member.uid)]));
  if (weights.has(ownerHotkey) && !uids.has(ownerHotkey)) return { kind: 'NO_BURN_TARGET', ownerHotkey };
  const largest = [...weights.values()].reduce((max, ppm) => (ppm > max ? ppm : max), 1n);
  const rows = [...weights]
    .map(([hotkey, ppm]) => ({ uid: uids.get(hotkey) as number, value: Number((ppm * U16_MAX) / largest) }))
    .filter((row) => row.value > 0)
    .sort((a, b) => a.uid - b.uid);
  return { kind: 'weights', uids: rows.map((row) => row.uid), values: rows.map((row) => row.value) };
}
