import { z } from 'zod';
import { PRESET_NAMES } from '../presets/index.ts';
import { CAPACITY_MAX } from './limits.ts';
import { absolutePath, chainHash, developmentUri, endpoint, endpoints, multiaddrs, socketPath } from './values.ts';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

/**
 * The sections of the configuration file; every object is closed. Names are those of the TOML file and, as
 * `CACHEON_<SECTION>_<FIELD>`, of the environment.
 */
export const SECTIONS = {
  network: z.strictObject({
    preset: z.enum(PRESET_NAMES),
    genesis_hash: chainHash,
    netuid: z.int().min(0).max(65_535),
    endpoints: endpoints.min(1, 'must name at least one endpoint'),
    /** For state older than a pruned endpoint keeps; null: such state is ARCHIVE_NEEDED. */
    archive_endpoint: endpoint.nullable(),
  }),
  node: z.strictObject({
    data_dir: absolutePath,
    log_level: z.enum(LOG_LEVELS),
  }),
  keys: z.strictObject({
    /** File with the hotkey's mnemonic, seed, or a wallet's JSON; null only with a development URI. */
    hotkey_file: absolutePath.nullable(),
    /** Only under the devnet preset. */
    hotkey_uri: developmentUri.nullable(),
  }),
  p2p: z.strictObject({
    listen: multiaddrs.min(1, 'must name at least one address'),
    announce: multiaddrs,
    bootstrap: multiaddrs,
  }),
  status: z.strictObject({
    host: z.literal('127.0.0.1', { error: 'must be 127.0.0.1: the status server never leaves the host' }),
    /** 0 takes a free port. */
    port: z.int().min(0).max(65_535),
    socket: socketPath,
  }),
  lanes: z.strictObject({
    /** Places of one cohort this node takes, 0..16 (`peer-protocol.md` section 3). */
    capacity: z.int().min(0).max(CAPACITY_MAX),
    cache_dir: absolutePath,
    /** One file for all nodes of this host. */
    timing_lock: absolutePath,
  }),
  fetch: z.strictObject({
    allow_private: z.boolean(),
    /** PEM file of certificate authorities trusted besides the system's. */
    extra_ca: absolutePath.nullable(),
  }),
  consensus: z.strictObject({
    /** Folder of consensus objects, `*.json`. */
    folder: absolutePath,
    /** File that holds the digest of the object a new node starts from. */
    active: absolutePath,
  }),
} as const;

export type SectionName = keyof typeof SECTIONS;
export const SECTION_NAMES = Object.keys(SECTIONS) as readonly SectionName[];

/** The effective configuration of one node. */
export type NodeConfig = { readonly [S in SectionName]: Readonly<z.infer<(typeof SECTIONS)[S]>> };

/** Field names of one section, in file order. */
export function fieldsOf(section: SectionName): readonly string[] {
  return Object.keys(SECTIONS[section].shape);
}
