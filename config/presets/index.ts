/** What a network preset fixes or suggests; `genesis_hash` null means that the operator must give it. */
export interface NetworkPreset {
  /** "0x" + 64 hex, or null. A preset that has one admits no other. */
  readonly genesis_hash: string | null;
  readonly endpoints: readonly string[];
  readonly archive_endpoint: string | null;
  /** True where miners' archives may come from private addresses and keys from development URIs. */
  readonly development: boolean;
}

export const PRESET_NAMES = ['devnet', 'test', 'finney', 'custom'] as const;
export type PresetName = (typeof PRESET_NAMES)[number];

/** The networks a node can join by name. Genesis hashes are pinned: an endpoint of another chain is refused. */
export const PRESETS: Readonly<Record<PresetName, NetworkPreset>> = {
  devnet: { genesis_hash: null, endpoints: [], archive_endpoint: null, development: true },
  test: {
    genesis_hash: '0x8f9cf856bf558a14440e75569c9e58594757048d7b3a84b5d25f6bd978263105',
    endpoints: ['wss://test.finney.opentensor.ai:443'],
    archive_endpoint: null,
    development: false,
  },
  finney: {
    genesis_hash: '0x2f0555cc76fc2840a25a6ea3b9637146806f1f44b090c175ffde2a7e5ab36c03',
    endpoints: ['wss://entrypoint-finney.opentensor.ai:443'],
    archive_endpoint: 'wss://archive.chain.opentensor.ai:443',
    development: false,
  },
  custom: { genesis_hash: null, endpoints: [], archive_endpoint: null, development: false },
};

/** True for a name of {@link PRESETS}. */
export function isPresetName(value: unknown): value is PresetName {
  return typeof value === 'string' && (PRESET_NAMES as readonly string[]).includes(value);
}
