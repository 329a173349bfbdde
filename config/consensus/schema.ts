import { z } from 'zod';
import { chainHash } from '../schema/index.ts';

const digest = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be 64 lowercase hex digits')
  .refine((text) => !/^0+$/.test(text), 'must not be all zero');
const blocks = (min: number) => z.int().min(min);
const ppm = z.int().min(0).max(1_000_000);

/**
 * The consensus object of `peer-protocol.md` section 2: what every node of the subnet must agree on. Heights and
 * lengths are finalized blocks, `_ppm` are parts per million.
 */
export const consensusSchema = z
  .strictObject({
    schema_version: z.literal(1),
    policy_version: z.literal('peer-settlement.v1'),
    genesis_hash: chainHash,
    netuid: z.int().min(0).max(65_535),
    activation_height: blocks(0),
    arena_digest: digest,
    catalog_digest: digest,
    genesis_stack_digest: digest,
    speed_policy_digest: digest,
    selection_policy_version: z.enum(['qualification-selection.v1', 'qualification-selection.v2']),
    evaluation_digest: digest,
    settlement_policy_version: z.literal('settlement-order.v2'),
    lag_blocks: z.int().min(2).max(64),
    show_blocks: blocks(1),
    measure_blocks: blocks(1),
    ballot_blocks: blocks(1),
    attempt_seconds: z.int().min(1).max(86_400),
    max_cohort: z.int().min(1).max(32),
    confirmations: z.int().min(1).max(4),
    max_spent: z.int().min(1),
    max_queued: z.int().min(1),
    expiry_blocks: blocks(1),
    ready_blocks: blocks(1),
    max_strikes: z.int().min(1),
    cooldown_blocks: blocks(0),
    epoch_blocks: blocks(1),
    stake_samples: z.int().min(0).max(32),
    min_active_stake_ppm: ppm,
    precedence_ppm: ppm,
    max_speedup_ppm: z.int().min(1_000_001),
    restart: digest.nullable(),
  })
  .refine((c) => c.show_blocks <= c.measure_blocks, {
    path: ['show_blocks'],
    message: 'must not exceed measure_blocks',
  });

export type ConsensusObject = Readonly<z.infer<typeof consensusSchema>>;

/** Domain of the object's digest (`peer-protocol.md` section 2). */
export const CONSENSUS_DOMAIN = 'cacheon.peer.consensus.v1';
