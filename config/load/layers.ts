import { isAbsolute, join } from 'node:path';
import { isPresetName, PRESETS } from '../presets/index.ts';
import { SECTION_NAMES, type SectionName } from '../schema/index.ts';

/** Where an effective value came from. */
export type Origin = 'default' | 'preset' | 'file' | 'environment';

/** Raw values by section and field, before validation. */
export type RawLayer = Partial<Record<SectionName, Readonly<Record<string, unknown>>>>;

const DEFAULT_DATA_DIR = '/var/lib/cacheon';

/** The merged values and the origin of each. */
export interface Merged {
  readonly values: Record<SectionName, Record<string, unknown>>;
  readonly origins: Record<SectionName, Record<string, Origin>>;
}

/** Puts defaults, the preset, the file and the environment on top of each other, field by field. */
export function mergeLayers(file: RawLayer, environment: RawLayer): Merged {
  const given = (section: SectionName, field: string): unknown =>
    environment[section]?.[field] ?? file[section]?.[field];
  const preset = given('network', 'preset');
  const dataDir = given('node', 'data_dir');
  const folder = given('consensus', 'folder');
  const layers: readonly (readonly [Origin, RawLayer])[] = [
    ['default', defaults(pathOr(dataDir, DEFAULT_DATA_DIR), pathOr(folder, null))],
    ['preset', isPresetName(preset) ? presetLayer(preset) : {}],
    ['file', file],
    ['environment', environment],
  ];
  const merged: Merged = { values: emptySections(), origins: emptySections() };
  for (const [origin, layer] of layers) {
    for (const section of SECTION_NAMES) {
      for (const [field, value] of Object.entries(layer[section] ?? {})) {
        merged.values[section][field] = value;
        merged.origins[section][field] = origin;
      }
    }
  }
  return merged;
}

/** Other defaults follow a path only if it is one: a bad value is one problem, not five. */
function pathOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' && isAbsolute(value) ? value : otherwise;
}

function emptySections<T>(): Record<SectionName, Record<string, T>> {
  return Object.fromEntries(SECTION_NAMES.map((s) => [s, Object.create(null)])) as Record<
    SectionName,
    Record<string, T>
  >;
}

function presetLayer(name: keyof typeof PRESETS): RawLayer {
  const { genesis_hash, endpoints, archive_endpoint } = PRESETS[name];
  return {
    network: {
      ...(genesis_hash === null ? {} : { genesis_hash }),
      ...(endpoints.length === 0 ? {} : { endpoints }),
      ...(archive_endpoint === null ? {} : { archive_endpoint }),
    },
  };
}

/** Defaults that hold for every network. Ports are those of `names.md`, Processes. */
function defaults(dataDir: string, consensusFolder: string | null): RawLayer {
  const folder = consensusFolder ?? join(dataDir, 'consensus');
  return {
    network: { archive_endpoint: null },
    node: { data_dir: DEFAULT_DATA_DIR, log_level: 'info' },
    keys: { hotkey_file: null, hotkey_uri: null },
    p2p: { listen: ['/ip4/0.0.0.0/tcp/9740'], announce: [], bootstrap: [] },
    status: { host: '127.0.0.1', port: 9750, socket: join(dataDir, 'status.sock') },
    lanes: {
      capacity: 2,
      cache_dir: join(dataDir, 'cache'),
      // Not inside one node's directory: every node of the host must name the same file.
      timing_lock: join(DEFAULT_DATA_DIR, 'timing.sqlite'),
    },
    fetch: { allow_private: false, extra_ca: null },
    consensus: { folder, active: join(folder, 'active') },
  };
}
