import { boundedBytes, named, struct, u32, u64, type ValueOf } from '../../scale/index.ts';
import { blake2128Concat, defaulted, hashed, optional } from '../../storage/index.ts';

const HASH_BYTES_MAX = 32;
const SIGNATURE_BYTES_MAX = 144;
const PUBLIC_KEY_BYTES_MAX = 96;
const boundedHash = boundedBytes(HASH_BYTES_MAX);

export const pulse = struct(
  'pallet_drand::types::Pulse',
  named({ round: u64, randomness: boundedHash, signature: boundedBytes(SIGNATURE_BYTES_MAX) }),
);
export type Pulse = ValueOf<typeof pulse>;

const metadata = struct('pallet_drand::types::Metadata', named({ beaconId: boundedHash }));
const configuration = struct(
  'pallet_drand::types::BeaconConfiguration',
  named({
    publicKey: boundedBytes(PUBLIC_KEY_BYTES_MAX),
    period: u32,
    genesisTime: u32,
    hash: boundedHash,
    groupHash: boundedHash,
    schemeId: boundedHash,
    metadata,
  }),
);
export type BeaconConfiguration = ValueOf<typeof configuration>;

const EMPTY = new Uint8Array();
const NO_BEACON: BeaconConfiguration = {
  publicKey: EMPTY,
  period: 0,
  genesisTime: 0,
  hash: EMPTY,
  groupHash: EMPTY,
  schemeId: EMPTY,
  metadata: { beaconId: EMPTY },
};

export const beaconConfig = defaulted('Drand', 'BeaconConfig', [], configuration, NO_BEACON);
export const pulses = optional('Drand', 'Pulses', [hashed(blake2128Concat, u64)], pulse);
export const lastStoredRound = defaulted('Drand', 'LastStoredRound', [], u64, 0n);
export const oldestStoredRound = defaulted('Drand', 'OldestStoredRound', [], u64, 0n);
