import { bool, named, struct, tuple, u8, u16, u32, u64, u128, type ValueOf, vec } from '../../scale/index.ts';
import { blake2128Concat, defaulted, hashed, identity, optional, twox64Concat } from '../../storage/index.ts';
import { ZERO_32 } from '../system/storage.ts';
import { accountId } from '../types/account.ts';

const PALLET = 'SubtensorModule';
const bySubnet = [hashed(identity, u16)] as const;
const byHotkey = [hashed(blake2128Concat, accountId)] as const;
const bySubnetAndUid = [hashed(identity, u16), hashed(identity, u16)] as const;
const bySubnetAndHotkey = [hashed(identity, u16), hashed(blake2128Concat, accountId)] as const;
const byHotkeyAndSubnet = [hashed(blake2128Concat, accountId), hashed(identity, u16)] as const;

const axonInfo = struct(
  'pallet_subtensor::pallet::AxonInfo',
  named({
    block: u64,
    version: u32,
    ip: u128,
    port: u16,
    ipType: u8,
    protocol: u8,
    placeholder1: u8,
    placeholder2: u8,
  }),
);
export type AxonInfo = ValueOf<typeof axonInfo>;

// Keys and stake.
export const owner = defaulted(PALLET, 'Owner', byHotkey, accountId, ZERO_32);
export const totalHotkeyAlpha = defaulted(PALLET, 'TotalHotkeyAlpha', byHotkeyAndSubnet, u64, 0n);
export const stakeThreshold = defaulted(PALLET, 'StakeThreshold', [], u64, 0n);
export const uids = optional(PALLET, 'Uids', bySubnetAndHotkey, u16);
export const keys = defaulted(PALLET, 'Keys', bySubnetAndUid, accountId, ZERO_32);
export const isNetworkMember = defaulted(PALLET, 'IsNetworkMember', byHotkeyAndSubnet, bool, false);
export const blockAtRegistration = defaulted(PALLET, 'BlockAtRegistration', bySubnetAndUid, u64, 0n);

// The subnet and its settings.
export const totalNetworks = defaulted(PALLET, 'TotalNetworks', [], u16, 0);
export const networksAdded = defaulted(PALLET, 'NetworksAdded', bySubnet, bool, false);
export const subnetworkN = defaulted(PALLET, 'SubnetworkN', bySubnet, u16, 0);
export const tempo = defaulted(PALLET, 'Tempo', bySubnet, u16, 360);
export const subnetOwner = defaulted(PALLET, 'SubnetOwner', bySubnet, accountId, ZERO_32);
export const subnetOwnerHotkey = defaulted(PALLET, 'SubnetOwnerHotkey', bySubnet, accountId, ZERO_32);
export const maxAllowedUids = defaulted(PALLET, 'MaxAllowedUids', bySubnet, u16, 256);
export const servingRateLimit = defaulted(PALLET, 'ServingRateLimit', bySubnet, u64, 50n);
export const weightsSetRateLimit = defaulted(PALLET, 'WeightsSetRateLimit', bySubnet, u64, 100n);
export const weightsVersionKey = defaulted(PALLET, 'WeightsVersionKey', bySubnet, u64, 0n);
export const minAllowedWeights = defaulted(PALLET, 'MinAllowedWeights', bySubnet, u16, 1024);
export const maxWeightsLimit = defaulted(PALLET, 'MaxWeightsLimit', bySubnet, u16, 65_535);
export const commitRevealWeightsEnabled = defaulted(PALLET, 'CommitRevealWeightsEnabled', bySubnet, bool, true);
export const commitRevealWeightsVersion = defaulted(PALLET, 'CommitRevealWeightsVersion', [], u16, 4);
export const revealPeriodEpochs = defaulted(PALLET, 'RevealPeriodEpochs', [hashed(twox64Concat, u16)], u64, 1n);
export const mechanismCountCurrent = defaulted(PALLET, 'MechanismCountCurrent', [hashed(twox64Concat, u16)], u8, 1);

// What each uid has done.
export const active = defaulted(PALLET, 'Active', bySubnet, vec(bool), []);
export const validatorPermit = defaulted(PALLET, 'ValidatorPermit', bySubnet, vec(bool), []);
export const lastUpdate = defaulted(PALLET, 'LastUpdate', bySubnet, vec(u64), []);
export const weights = defaulted(PALLET, 'Weights', bySubnetAndUid, vec(tuple(u16, u16)), []);
export const axons = optional(PALLET, 'Axons', bySubnetAndHotkey, axonInfo);
