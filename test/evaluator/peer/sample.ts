import type { Consensus } from '../../../evaluator/peer/index.ts';

/** A small consensus object for tests: cohorts of two, short phases, no stake samples. */
export function sampleConsensus(change: Partial<Consensus> = {}): Consensus {
  return {
    schema_version: 1,
    policy_version: 'peer-settlement.v1',
    genesis_hash: `0x${'9'.repeat(64)}`,
    netuid: 7,
    activation_height: 100,
    arena_digest: 'a1'.repeat(32),
    catalog_digest: 'a2'.repeat(32),
    genesis_stack_digest: 'a3'.repeat(32),
    speed_policy_digest: 'a4'.repeat(32),
    selection_policy_version: 'qualification-selection.v2',
    evaluation_digest: 'a5'.repeat(32),
    settlement_policy_version: 'settlement-order.v2',
    lag_blocks: 2,
    show_blocks: 6,
    measure_blocks: 12,
    ballot_blocks: 3,
    attempt_seconds: 45,
    max_cohort: 2,
    confirmations: 1,
    max_spent: 9,
    max_queued: 2,
    expiry_blocks: 1000,
    ready_blocks: 500,
    max_strikes: 3,
    cooldown_blocks: 50,
    epoch_blocks: 20,
    stake_samples: 0,
    min_active_stake_ppm: 0,
    precedence_ppm: 20_000,
    max_speedup_ppm: 16_000_000,
    restart: null,
    ...change,
  };
}
