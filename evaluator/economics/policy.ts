import { type Integer, ObjectReader } from '../fields/index.ts';
import { canonicalDigest } from '../identity/index.ts';
import { DOMAIN, EMISSIONS_POLICY, ONE_PPM } from './constants.ts';
import { EconomicsError } from './errors.ts';

/** How claims turn into credit (`protocol.md` section 13). */
export interface EmissionsPolicy {
  readonly schema_version: 1;
  readonly policy_version: typeof EMISSIONS_POLICY;
  /** Blocks after which a standing claim's credit is half. */
  readonly half_life_blocks: Integer;
  readonly discovery_lifetime_blocks: Integer;
  /** Share of all weight that goes to live discovery claims, 0 to 999,999. */
  readonly discovery_pool_ppm: number;
}

const KEYS = [
  'schema_version',
  'policy_version',
  'half_life_blocks',
  'discovery_lifetime_blocks',
  'discovery_pool_ppm',
];

/**
 * Parses a closed emissions policy.
 * @throws FieldError
 */
export function parseEmissionsPolicy(value: unknown, at = 'policy'): EmissionsPolicy {
  const reader = new ObjectReader(value, at, KEYS);
  return {
    schema_version: reader.literal('schema_version', 1),
    policy_version: reader.literal('policy_version', EMISSIONS_POLICY),
    half_life_blocks: reader.wideInteger('half_life_blocks', 1),
    discovery_lifetime_blocks: reader.wideInteger('discovery_lifetime_blocks', 1),
    discovery_pool_ppm: reader.integer('discovery_pool_ppm', 0, ONE_PPM - 1),
  };
}

export function emissionsPolicyDigest(policy: EmissionsPolicy): string {
  return canonicalDigest(DOMAIN.policy, policy);
}

/**
 * Credit of a claim at a block: floor((speedup_ppm - 10^6) H / (H + age)). Hyperbolic: after n half lives 1/(n + 1)
 * is left.
 * @throws EconomicsError CLAIM_FROM_THE_FUTURE
 */
export function standingCredit(
  claim: { readonly speedup_ppm: Integer; readonly crowned_block: Integer },
  policy: EmissionsPolicy,
  block: Integer,
): bigint {
  const age = ageAt(claim.crowned_block, block, 'crowned_block');
  const halfLife = BigInt(policy.half_life_blocks);
  return ((BigInt(claim.speedup_ppm) - BigInt(ONE_PPM)) * halfLife) / (halfLife + age);
}

/**
 * Blocks from one height to a later or equal one.
 * @throws EconomicsError CLAIM_FROM_THE_FUTURE
 */
export function ageAt(since: Integer, block: Integer, field: string): bigint {
  if (since > block) throw new EconomicsError('CLAIM_FROM_THE_FUTURE', undefined, { field });
  return BigInt(block) - BigInt(since);
}
