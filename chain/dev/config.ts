import { readFileSync } from 'node:fs';
import { decodeAddress } from '@polkadot/util-crypto';
import { z } from 'zod';
import { DevChainError } from './errors.ts';

const U64_MAX = (1n << 64n) - 1n;
export const NEURONS_MAX = 256;
const CONFIG_BYTES_MAX = 1024 * 1024;

const address = z.string().refine(isAddress, 'an SS58 address of 32 bytes');
const u64Text = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,19})$/)
  .refine((text) => BigInt(text) <= U64_MAX, 'at most 2^64 - 1');
const u16 = z.int().min(0).max(65_535);

const neuron = z.strictObject({
  hotkey: address,
  coldkey: address,
  /** TotalHotkeyAlpha on the subnet, in rao, as a decimal string. */
  stake: u64Text,
  permit: z.boolean(),
  uid: u16,
});

/** What block 0 is made of; a database belongs to one of these for ever. */
export const genesisConfig = z.strictObject({
  chain_name: z.string().min(1).max(64).default('Cacheon Devnet'),
  netuid: u16.min(1),
  tempo: u16.min(1).default(360),
  /** Blocks between two weight settings of one uid. */
  weights_rate_limit: z.int().min(0).max(1_000_000).default(10),
  weights_version_key: z.int().min(0).default(0),
  /** Blocks between two serve_axon of one hotkey. */
  serving_rate_limit: z.int().min(0).max(1_000_000).default(10),
  commit_reveal_weights: z.boolean().default(false),
  owner_hotkey: address,
  owner_coldkey: address.optional(),
  /** Uids are 0.. without gaps. */
  neurons: z.array(neuron).min(1).max(NEURONS_MAX),
  /** The secret of the chain's own drand beacon is derived from this text. */
  drand_seed: z.string().min(1).max(256),
  /** Unix seconds of round 1; the clock at the first start if absent. */
  genesis_time: z.int().min(0).max(0xffff_ffff).optional(),
});

export const devChainConfig = z
  .strictObject({
    genesis: genesisConfig,
    /** 0: blocks are made by dev_produceBlock only. */
    block_time_ms: z.int().min(0).max(60_000).default(1000),
    /** Blocks between the best and the finalized head. */
    finality_lag: z.int().min(0).max(1000).default(0),
    /** A file, or ":memory:". */
    db_path: z.string().min(1),
    /** On 127.0.0.1; 0 takes a free one. */
    port: z.int().min(0).max(65_535).default(0),
    /** Offer the dev_* methods. */
    admin: z.boolean().default(false),
    /** Blocks whose state stays readable, as on a pruned node; null keeps all. */
    state_blocks_kept: z.int().min(1).nullable().default(null),
  })
  .superRefine(({ genesis }, issues) => {
    const uids = new Set(genesis.neurons.map(({ uid }) => uid));
    const hotkeys = new Set(genesis.neurons.map(({ hotkey }) => hotkey));
    const gapless = genesis.neurons.every((_, uid) => uids.has(uid));
    if (!gapless)
      issues.addIssue({ code: 'custom', path: ['genesis', 'neurons'], message: 'uids are 0.. without gaps' });
    if (hotkeys.size < genesis.neurons.length) {
      issues.addIssue({ code: 'custom', path: ['genesis', 'neurons'], message: 'a hotkey appears twice' });
    }
  });

export type GenesisConfig = z.output<typeof genesisConfig>;
export type DevChainConfig = z.output<typeof devChainConfig>;
export type DevChainOptions = z.input<typeof devChainConfig>;

/** The checked configuration with its defaults; DEVCHAIN_CONFIG names every field that is wrong. */
export function parseConfig(value: unknown): DevChainConfig {
  const parsed = devChainConfig.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || '(root)'}: ${message}`);
  throw new DevChainError('DEVCHAIN_CONFIG', problems.join('; '));
}

export function readConfig(path: string): DevChainConfig {
  let value: unknown;
  try {
    const text = readFileSync(path, 'utf8');
    if (text.length > CONFIG_BYTES_MAX) throw new Error(`longer than ${CONFIG_BYTES_MAX} bytes`);
    value = JSON.parse(text);
  } catch (cause) {
    throw new DevChainError('DEVCHAIN_CONFIG', `cannot read ${path}: ${(cause as Error).message}`, { cause });
  }
  return parseConfig(value);
}

function isAddress(text: string): boolean {
  try {
    return decodeAddress(text).length === 32;
  } catch {
    return false;
  }
}
