import type { ConsensusObject } from './types.ts';

/** What a consensus object takes from its chain and its arena; everything else has defaults. */
export type ConsensusSubject = Pick<
  ConsensusObject,
  | 'genesis_hash'
  | 'netuid'
  | 'arena_digest'
  | 'catalog_digest'
  | 'genesis_stack_digest'
  | 'speed_policy_digest'
  | 'evaluation_digest'
>;

const VERSIONS = {
  schema_version: 1,
  policy_version: 'peer-settlement.v1',
  selection_policy_version: 'qualification-selection.v2',
  settlement_policy_version: 'settlement-order.v2',
} as const;

/** The devnet column of `peer-protocol.md` section 2, with block times of one second in mind. */
export function devnetConsensus(subject: ConsensusSubject, activationHeight = 1): ConsensusObject {
  return {
    ...VERSIONS,
    ...subject,
    activation_height: activationHeight,
    lag_blocks: 4,
    show_blocks: 60,
    measure_blocks: 240,
    ballot_blocks: 8,
    attempt_seconds: 45,
    max_cohort: 4,
    confirmations: 1,
    max_spent: 9,
    max_queued: 2,
    expiry_blocks: 500_000,
    ready_blocks: 100_000,
    max_strikes: 3,
    cooldown_blocks: 200,
    epoch_blocks: 20,
    stake_samples: 0,
    min_active_stake_ppm: 0,
    precedence_ppm: 20_000,
    max_speedup_ppm: 16_000_000,
    restart: null,
  };
}

/** The mainnet column of the same table; the owner sets the activation height. */
export function mainnetConsensus(subject: ConsensusSubject, activationHeight: number): ConsensusObject {
  return {
    ...VERSIONS,
    ...subject,
    activation_height: activationHeight,
    lag_blocks: 8,
    show_blocks: 50,
    measure_blocks: 600,
    ballot_blocks: 50,
    attempt_seconds: 2400,
    max_cohort: 8,
    confirmations: 2,
    max_spent: 9,
    max_queued: 2,
    expiry_blocks: 500_000,
    ready_blocks: 7200,
    max_strikes: 3,
    cooldown_blocks: 1200,
    epoch_blocks: 360,
    stake_samples: 20,
    min_active_stake_ppm: 333_333,
    precedence_ppm: 20_000,
    max_speedup_ppm: 4_000_000,
    restart: null,
  };
}

/** Blocks kept free of a measuring window besides the lag, for anchors to be included and finalized. */
const MEASURE_MARGIN_BLOCKS = 20;

/**
 * The highest capacity a node may declare: capacity x attempt_seconds must fit the block time x (measure_blocks -
 * lag_blocks - 20). (`peer-protocol.md` section 2.)
 * @param blockSeconds target block time of the chain
 */
export function capacityThatFits(consensus: ConsensusObject, blockSeconds: number): number {
  const window = blockSeconds * (consensus.measure_blocks - consensus.lag_blocks - MEASURE_MARGIN_BLOCKS);
  return Math.max(0, Math.floor(window / consensus.attempt_seconds));
}
