import type { ConsensusObject } from '../../config/consensus/types.ts';
import { canonicalDigest, isDigest, parseStrictJson } from '../identity/index.ts';
import { CONSENSUS_MAX_BYTES } from './constants.ts';
import { PeerError } from './errors.ts';

/** The consensus object, checked: see {@link parseConsensus}. */
export type Consensus = ConsensusObject;

type Check = (value: unknown) => boolean;

/** Where section 2 gives no bound: so large that sums of heights stay exact, and no network needs more. */
const MAX_BLOCKS = 2 ** 40;
const MAX_HEIGHT = 2 ** 50;
const PPM = 1_000_000;

const is =
  (constant: unknown): Check =>
  (value) =>
    value === constant;
const int =
  (min: number, max: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);

const FIELDS: Readonly<Record<keyof Consensus, Check>> = {
  schema_version: is(1),
  policy_version: is('peer-settlement.v1'),
  genesis_hash: matches(/^0x[0-9a-f]{64}$/),
  netuid: int(0, 65_535),
  activation_height: int(0, MAX_HEIGHT),
  arena_digest: isDigest,
  catalog_digest: isDigest,
  genesis_stack_digest: isDigest,
  speed_policy_digest: isDigest,
  selection_policy_version: matches(/^[a-z0-9][a-z0-9._-]{0,95}$/),
  evaluation_digest: isDigest,
  settlement_policy_version: is('settlement-order.v2'),
  lag_blocks: int(2, 64),
  show_blocks: int(1, MAX_BLOCKS),
  measure_blocks: int(1, MAX_BLOCKS),
  ballot_blocks: int(1, MAX_BLOCKS),
  attempt_seconds: int(1, MAX_BLOCKS),
  max_cohort: int(1, 32),
  confirmations: int(1, 4),
  max_spent: int(1, MAX_BLOCKS),
  max_queued: int(1, MAX_BLOCKS),
  expiry_blocks: int(0, MAX_BLOCKS),
  ready_blocks: int(1, MAX_BLOCKS),
  max_strikes: int(1, MAX_BLOCKS),
  cooldown_blocks: int(0, MAX_BLOCKS),
  epoch_blocks: int(1, MAX_BLOCKS),
  stake_samples: int(0, 32),
  min_active_stake_ppm: int(0, PPM),
  precedence_ppm: int(0, MAX_BLOCKS),
  // A PASS has a speedup of at least 1.000001 (section 9), so a lower cap would allow none.
  max_speedup_ppm: int(PPM + 1, MAX_BLOCKS),
  restart: (value) => value === null || isDigest(value),
};

/**
 * Checks a parsed value against section 2: closed, every field within its bounds.
 * @throws PeerError CONSENSUS_MALFORMED naming the first field that is missing, unknown or out of bounds
 */
export function parseConsensus(value: unknown): Consensus {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse('consensus', 'not an object');
  const row = value as Record<string, unknown>;
  for (const [field, check] of Object.entries(FIELDS)) {
    if (!Object.hasOwn(row, field)) refuse(field, 'missing');
    if (!check(row[field])) refuse(field, 'out of bounds or of another type');
  }
  for (const field of Object.keys(row)) if (!Object.hasOwn(FIELDS, field)) refuse(field.slice(0, 64), 'unknown field');
  return { ...row } as unknown as Consensus;
}

/**
 * Reads a consensus object's JSON, at most 16 KiB.
 * @throws PeerError CONSENSUS_MALFORMED, or IdentityError for what is not strict JSON
 */
export function readConsensus(input: string | Uint8Array): Consensus {
  return parseConsensus(parseStrictJson(input, CONSENSUS_MAX_BYTES));
}

/** CD("cacheon.peer.consensus.v1", object). */
export function consensusDigest(consensus: Consensus): string {
  return canonicalDigest('cacheon.peer.consensus.v1', consensus);
}

function refuse(field: string, message: string): never {
  throw new PeerError('CONSENSUS_MALFORMED', message, { field });
}
