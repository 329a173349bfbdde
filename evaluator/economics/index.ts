export { allocate, type ByHotkey } from './allocate.ts';
export {
  type DiscoveryClaim,
  discoveryClaimDigest,
  parseDiscoveryClaim,
  parseStandingClaim,
  type StandingClaim,
  standingClaimDigest,
  standingFamilyId,
} from './claims.ts';
export {
  type MetagraphMember,
  membershipDigest,
  type ProjectionContext,
  parseMembers,
  parseProjectionContext,
  projectionContextDigest,
} from './context.ts';
export { ECONOMICS_ERRORS, EconomicsError, type EconomicsErrorCode } from './errors.ts';
export { type PeerProjectionInput, projectPeerWeights, type WeightVector, weightVector } from './peer.ts';
export { type EmissionsPolicy, emissionsPolicyDigest, parseEmissionsPolicy, standingCredit } from './policy.ts';
export {
  type ArenaStanding,
  type DiscoveryRow,
  projectWeights,
  type RewardProjection,
  rewardProjectionDigest,
  type StandingRow,
} from './projection.ts';
