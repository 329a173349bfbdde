import type { TargetCatalog } from '../catalog/index.ts';
import type { Integer } from '../fields/index.ts';
import { canonicalDigest, compareCodePoints } from '../identity/index.ts';
import { contributionDigest, type EvaluationStackManifest, stackDigest } from '../manifest/index.ts';
import { allocate, type ByHotkey, sumByHotkey } from './allocate.ts';
import {
  type DiscoveryClaim,
  discoveryClaimDigest,
  type StandingClaim,
  standingClaimDigest,
  standingFamilyId,
} from './claims.ts';
import { DOMAIN, ONE_PPM } from './constants.ts';
import { contextObject, type ProjectionContext } from './context.ts';
import { EconomicsError } from './errors.ts';
import { ageAt, type EmissionsPolicy, emissionsPolicyDigest, standingCredit } from './policy.ts';

/** One arena with its incumbent and the claims that stand for it. */
export interface ArenaStanding {
  readonly catalog: TargetCatalog;
  readonly stack: EvaluationStackManifest;
  /** How often this arena's stack has changed. */
  readonly stackGeneration: Integer;
  readonly claims: readonly StandingClaim[];
}

/** What a standing claim contributes; hotkey is who gets it. */
export interface StandingRow {
  readonly arena_digest: string;
  readonly claim_digest: string;
  readonly credit: bigint;
  readonly family_id: string;
  readonly hotkey: string;
  readonly target_id: string;
}

export interface DiscoveryRow {
  readonly claim_digest: string;
  readonly credit: bigint;
  readonly hotkey: string;
}

/** Weights in parts per million by hotkey, and what they rest on; the weights sum to exactly 1,000,000. */
export interface RewardProjection {
  readonly weights: ByHotkey;
  readonly standing: readonly StandingRow[];
  readonly discovery: readonly DiscoveryRow[];
  /** Digests of the discovery claims that have expired, sorted. */
  readonly expired: readonly string[];
  /** Digest of each arena with its stack and claims, by arena digest. */
  readonly arenaAuthorities: readonly string[];
}

/**
 * Projects claims to weights (`protocol.md` section 13). A departed hotkey's credit goes to the validator.
 * @throws EconomicsError, CatalogError ACTIVE_*
 */
export function projectWeights(
  policy: EmissionsPolicy,
  context: ProjectionContext,
  arenas: readonly ArenaStanding[],
  discoveryClaims: readonly DiscoveryClaim[],
): RewardProjection {
  const present = new Set(context.metagraph_members.map((member) => member.hotkey));
  const recipient = (hotkey: string) => (present.has(hotkey) ? hotkey : context.validator_hotkey);
  checkArenas(arenas);
  const ordered = arenas.toSorted((a, b) => compareCodePoints(a.stack.arena_digest, b.stack.arena_digest));
  const standing = ordered
    .flatMap((arena) => claimsByTarget(arena))
    .map((claim) => ({
      arena_digest: claim.arena_digest,
      claim_digest: standingClaimDigest(claim),
      credit: standingCredit(claim, policy, context.current_block),
      family_id: standingFamilyId(claim),
      hotkey: recipient(claim.hotkey),
      target_id: claim.target_id,
    }));
  const { live, expired } = splitDiscovery(discoveryClaims, policy, context.current_block);
  const discovery = live.map((claim) => ({
    claim_digest: discoveryClaimDigest(claim),
    credit: BigInt(claim.bounty_units),
    hotkey: recipient(claim.hotkey),
  }));
  discovery.sort((a, b) => compareCodePoints(a.claim_digest, b.claim_digest));
  return {
    weights: shareOut(standing, discovery, policy),
    standing,
    discovery,
    expired: expired.map(discoveryClaimDigest).sort(compareCodePoints),
    arenaAuthorities: ordered.map(arenaAuthorityDigest),
  };
}

/** Digest of a projection: policy, context, what each arena stood on, and who gets what. */
export function rewardProjectionDigest(
  projection: RewardProjection,
  policy: EmissionsPolicy,
  context: ProjectionContext,
): string {
  return canonicalDigest(DOMAIN.globalProjection, {
    arena_authority_digests: projection.arenaAuthorities,
    context: contextObject(context),
    discovery: projection.discovery,
    expired_discovery_claims: projection.expired,
    policy_digest: emissionsPolicyDigest(policy),
    standing: projection.standing,
    weights: Array.from(projection.weights, ([hotkey, weight_ppm]) => ({ hotkey, weight_ppm })),
  });
}

function arenaAuthorityDigest(arena: ArenaStanding): string {
  return canonicalDigest(DOMAIN.arenaAuthority, {
    arena_digest: arena.stack.arena_digest,
    catalog_digest: arena.stack.catalog_digest,
    stack_digest: stackDigest(arena.stack),
    stack_generation: arena.stackGeneration,
    standing_claims: claimsByTarget(arena).map(standingClaimDigest),
  });
}

function claimsByTarget(arena: ArenaStanding): StandingClaim[] {
  return arena.claims.toSorted((a, b) => compareCodePoints(a.target_id, b.target_id));
}

function shareOut(
  standing: readonly StandingRow[],
  discovery: readonly DiscoveryRow[],
  policy: EmissionsPolicy,
): Map<string, bigint> {
  const creditsOf = (rows: readonly { hotkey: string; credit: bigint }[]) =>
    sumByHotkey(rows.map((row) => [row.hotkey, row.credit]));
  const pool = discovery.length === 0 ? 0n : BigInt(policy.discovery_pool_ppm);
  if (discovery.length > 0 && pool === 0n) {
    throw new EconomicsError('DISCOVERY_POOL_CLOSED', undefined, { field: 'policy.discovery_pool_ppm' });
  }
  const shares = [...allocate(creditsOf(standing), BigInt(ONE_PPM) - pool)];
  if (pool > 0n) shares.push(...allocate(creditsOf(discovery), pool));
  const weights = [...sumByHotkey(shares)].filter(([, ppm]) => ppm > 0n);
  return new Map(weights.sort(([a], [b]) => compareCodePoints(a, b)));
}

function checkArenas(arenas: readonly ArenaStanding[]): void {
  if (arenas.length === 0) throw new EconomicsError('ARENA_NONE', undefined, { field: 'arenas' });
  const digests = new Set(arenas.map((arena) => arena.stack.arena_digest));
  if (digests.size !== arenas.length) throw new EconomicsError('ARENA_REPEATED', undefined, { field: 'arenas' });
  for (const arena of arenas) checkArena(arena);
}

function checkArena({ catalog, stack, stackGeneration, claims }: ArenaStanding): void {
  const isInteger = typeof stackGeneration === 'bigint' || Number.isSafeInteger(stackGeneration);
  if (!isInteger || stackGeneration < 0) {
    throw new EconomicsError('ARENA_GENERATION', undefined, { field: 'stack_generation' });
  }
  if (stack.catalog_digest !== catalog.digest) {
    throw new EconomicsError('ARENA_CATALOG', undefined, { field: 'stack.catalog_digest' });
  }
  const active = new Map(Object.entries(stack.entries));
  catalog.validateActive([...active.keys()]);
  if (active.size === 0) throw new EconomicsError('ARENA_EMPTY', undefined, { field: 'stack.entries' });
  const covered = new Set(claims.map((claim) => claim.target_id));
  if (covered.size !== claims.length || covered.size !== active.size) {
    throw new EconomicsError('CLAIM_COVERAGE', undefined, { field: 'standing_claims' });
  }
  for (const claim of claims) {
    const entry = active.get(claim.target_id);
    const field = `standing_claims.${claim.target_id}`;
    if (entry === undefined) throw new EconomicsError('CLAIM_COVERAGE', undefined, { field });
    const isMatching =
      claim.arena_digest === stack.arena_digest &&
      claim.target_spec_digest === entry.target_spec_digest &&
      claim.target_spec_digest === catalog.find(claim.target_id)?.target_spec_digest &&
      claim.contribution_digest === contributionDigest(entry);
    if (!isMatching) throw new EconomicsError('CLAIM_STALE', undefined, { field });
  }
}

function splitDiscovery(claims: readonly DiscoveryClaim[], policy: EmissionsPolicy, block: Integer) {
  const proposals = new Set(claims.map((claim) => claim.proposal_digest));
  const evidence = new Set(claims.map((claim) => claim.retained_evidence_digest));
  if (proposals.size !== claims.length || evidence.size !== claims.length) {
    throw new EconomicsError('CLAIM_REPEATED', undefined, { field: 'discovery_claims' });
  }
  const lifetime = BigInt(policy.discovery_lifetime_blocks);
  const isLive = (claim: DiscoveryClaim) => ageAt(claim.awarded_block, block, 'awarded_block') < lifetime;
  return { live: claims.filter(isLive), expired: claims.filter((claim) => !isLive(claim)) };
}
