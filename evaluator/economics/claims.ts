import { type Integer, isSpacelessName, ObjectReader, TARGET_ID } from '../fields/index.ts';
import { canonicalDigest } from '../identity/index.ts';
import { DOMAIN, MIN_SPEEDUP_PPM } from './constants.ts';

/** The credit of a standing crown (`protocol.md` section 13). */
export interface StandingClaim {
  readonly arena_digest: string;
  readonly target_id: string;
  readonly target_spec_digest: string;
  readonly contribution_digest: string;
  /** The miner. */
  readonly hotkey: string;
  /** floor(conservative speedup x 10^6), at least 1,000,001. */
  readonly speedup_ppm: Integer;
  /** Block of the reveal. */
  readonly crowned_block: Integer;
  readonly retained_evidence_digest: string;
}

/** A bounty for unregistered work, paid while it is young. */
export interface DiscoveryClaim {
  readonly proposal_digest: string;
  readonly retained_evidence_digest: string;
  readonly hotkey: string;
  readonly bounty_units: Integer;
  readonly awarded_block: Integer;
}

const STANDING_KEYS = [
  'arena_digest',
  'target_id',
  'target_spec_digest',
  'contribution_digest',
  'hotkey',
  'speedup_ppm',
  'crowned_block',
  'retained_evidence_digest',
];
const DISCOVERY_KEYS = ['proposal_digest', 'retained_evidence_digest', 'hotkey', 'bounty_units', 'awarded_block'];

/**
 * Parses a closed standing claim.
 * @throws FieldError
 */
export function parseStandingClaim(value: unknown, at = 'claim'): StandingClaim {
  const reader = new ObjectReader(value, at, STANDING_KEYS);
  return {
    arena_digest: reader.digest('arena_digest'),
    target_id: reader.text('target_id', TARGET_ID),
    target_spec_digest: reader.digest('target_spec_digest'),
    contribution_digest: reader.digest('contribution_digest'),
    hotkey: readHotkey(reader, 'hotkey'),
    speedup_ppm: reader.wideInteger('speedup_ppm', MIN_SPEEDUP_PPM),
    crowned_block: reader.wideInteger('crowned_block', 0),
    retained_evidence_digest: reader.digest('retained_evidence_digest'),
  };
}

/**
 * Parses a closed discovery claim.
 * @throws FieldError
 */
export function parseDiscoveryClaim(value: unknown, at = 'discovery'): DiscoveryClaim {
  const reader = new ObjectReader(value, at, DISCOVERY_KEYS);
  return {
    proposal_digest: reader.digest('proposal_digest'),
    retained_evidence_digest: reader.digest('retained_evidence_digest'),
    hotkey: readHotkey(reader, 'hotkey'),
    bounty_units: reader.wideInteger('bounty_units', 1),
    awarded_block: reader.wideInteger('awarded_block', 0),
  };
}

export function standingClaimDigest(claim: StandingClaim): string {
  return canonicalDigest(DOMAIN.standingClaim, claim);
}

export function discoveryClaimDigest(claim: DiscoveryClaim): string {
  return canonicalDigest(DOMAIN.discoveryClaim, claim);
}

/** The family of a claim: one arena's target in one meaning, whoever holds it. */
export function standingFamilyId(claim: StandingClaim): string {
  const { arena_digest, target_id, target_spec_digest } = claim;
  return canonicalDigest(DOMAIN.standingFamily, { arena_digest, target_id, target_spec_digest });
}

/**
 * A hotkey: 1 to 256 characters without white space.
 * @throws FieldError
 */
export function readHotkey(reader: ObjectReader, key: string): string {
  const value = reader.raw(key);
  if (!isSpacelessName(value)) reader.fail('FIELD_TEXT', key, 'not 1 to 256 characters without white space');
  return value;
}
