/**
 * The consensus object of `peer-protocol.md` section 2: what every node of a subnet must agree on. Heights and lengths
 * are finalized blocks, `_ppm` are parts per million. The rules check it: `evaluator/peer`.
 */
export interface ConsensusObject {
  readonly schema_version: 1;
  readonly policy_version: 'peer-settlement.v1';
  /** "0x" + 64 hex. */
  readonly genesis_hash: string;
  readonly netuid: number;
  readonly activation_height: number;
  readonly arena_digest: string;
  readonly catalog_digest: string;
  readonly genesis_stack_digest: string;
  readonly speed_policy_digest: string;
  readonly selection_policy_version: string;
  readonly evaluation_digest: string;
  readonly settlement_policy_version: 'settlement-order.v2';
  readonly lag_blocks: number;
  readonly show_blocks: number;
  readonly measure_blocks: number;
  readonly ballot_blocks: number;
  readonly attempt_seconds: number;
  readonly max_cohort: number;
  readonly confirmations: number;
  readonly max_spent: number;
  readonly max_queued: number;
  readonly expiry_blocks: number;
  readonly ready_blocks: number;
  readonly max_strikes: number;
  readonly cooldown_blocks: number;
  readonly epoch_blocks: number;
  readonly stake_samples: number;
  readonly min_active_stake_ppm: number;
  readonly precedence_ppm: number;
  readonly max_speedup_ppm: number;
  /** Digest of the record to return to, or null. */
  readonly restart: string | null;
}
