import { decodeAddress } from '@polkadot/util-crypto';
import type { GenesisConfig } from '../config.ts';
import { totalIssuance } from '../runtime/balances/pallet.ts';
import { drandStorage, register, subtensorStorage as subtensor, systemStorage as system } from '../runtime/index.ts';
import { EMPTY_STATE, Overlay, type StateWriter } from '../storage/index.ts';
import { type AuthoredBlock, stateRootAfter } from './author.ts';
import { beaconConfiguration } from './beacon.ts';
import { extrinsicsRootOf, type Header, headerHash } from './header.ts';

/** Every key starts with as much, in rao; nothing here costs fees. */
const ENDOWMENT_RAO = 1_000_000_000_000n;
/** A key outside all pallets that tells otherwise equal chains apart. */
const CHAIN_INDEX_KEY = Buffer.from(':cacheon_dev_chain_index');
const ZERO_HASH = new Uint8Array(32);

export interface GenesisInputs {
  readonly config: GenesisConfig;
  readonly beaconSecret: Uint8Array;
  /** Unix seconds of round 1. */
  readonly genesisTime: number;
  /** 0 for the chain itself, 1 for the one that dev_switchGenesis serves. */
  readonly chainIndex: number;
}

/** Block 0: no extrinsics, the whole genesis state as its changes. The same inputs give the same hash. */
export function genesisBlock({ config, beaconSecret, genesisTime, chainIndex }: GenesisInputs): AuthoredBlock {
  const state = new Overlay(EMPTY_STATE);
  if (chainIndex > 0) state.write(CHAIN_INDEX_KEY, Uint8Array.of(chainIndex));
  drandStorage.beaconConfig.put(state, [], beaconConfiguration(beaconSecret, genesisTime));
  createSubnet(state, config);
  endowKeys(state, config);
  const changes = state.changes();
  const header: Header = {
    number: 0,
    parentHash: ZERO_HASH,
    stateRoot: stateRootAfter(ZERO_HASH, changes),
    extrinsicsRoot: extrinsicsRootOf([]),
  };
  return { header, hash: headerHash(header), extrinsics: [], changes };
}

function createSubnet(state: StateWriter, config: GenesisConfig): void {
  const { netuid } = config;
  const ownerHotkey = decodeAddress(config.owner_hotkey);
  const ownerNeuron = config.neurons.find(({ hotkey }) => Buffer.compare(decodeAddress(hotkey), ownerHotkey) === 0);
  const ownerColdkey = config.owner_coldkey ?? ownerNeuron?.coldkey;
  subtensor.totalNetworks.put(state, [], 1);
  subtensor.networksAdded.put(state, [netuid], true);
  subtensor.tempo.put(state, [netuid], config.tempo);
  subtensor.subnetOwnerHotkey.put(state, [netuid], ownerHotkey);
  if (ownerColdkey !== undefined) subtensor.subnetOwner.put(state, [netuid], decodeAddress(ownerColdkey));
  subtensor.maxAllowedUids.put(state, [netuid], 256);
  subtensor.minAllowedWeights.put(state, [netuid], 1);
  subtensor.maxWeightsLimit.put(state, [netuid], 65_535);
  subtensor.weightsSetRateLimit.put(state, [netuid], BigInt(config.weights_rate_limit));
  subtensor.weightsVersionKey.put(state, [netuid], BigInt(config.weights_version_key));
  subtensor.servingRateLimit.put(state, [netuid], BigInt(config.serving_rate_limit));
  subtensor.commitRevealWeightsEnabled.put(state, [netuid], config.commit_reveal_weights);
  for (const { hotkey, coldkey, stake, permit, uid } of config.neurons) {
    const keys = { hotkey: decodeAddress(hotkey), coldkey: decodeAddress(coldkey) };
    register(state, netuid, 0, { ...keys, uid, permit });
    subtensor.totalHotkeyAlpha.put(state, [keys.hotkey, netuid], BigInt(stake));
  }
}

function endowKeys(state: StateWriter, config: GenesisConfig): void {
  const keys = new Set(config.neurons.flatMap(({ hotkey, coldkey }) => [hotkey, coldkey]));
  for (const key of keys) system.account.put(state, [decodeAddress(key)], system.endowed(ENDOWMENT_RAO));
  totalIssuance.put(state, [], ENDOWMENT_RAO * BigInt(keys.size));
}
