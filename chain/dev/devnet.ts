import { Keyring } from '@polkadot/keyring';
import type { z } from 'zod';
import type { genesisConfig } from './config.ts';
import { SS58_PREFIX } from './runtime/index.ts';

export interface DevnetSize {
  readonly validators: number;
  readonly miners: number;
}

/** Every neuron's stake, in rao. */
const STAKE_RAO = '1000000000000';

/**
 * The genesis of `names.md` (Devnet): `//Owner` is uid 0 and SubnetOwnerHotkey, then `//Validator0`.. with permits and
 * equal stakes, then `//Miner0`.. without; the coldkey of each is its URI and `//cold`. Wants cryptoWaitReady first.
 */
export function devnetGenesis({ validators, miners }: DevnetSize): z.input<typeof genesisConfig> {
  const keyring = new Keyring({ type: 'sr25519', ss58Format: SS58_PREFIX });
  const address = (uri: string): string => keyring.addFromUri(uri).address;
  const neuron = (uri: string, uid: number, validator: boolean) => ({
    hotkey: address(uri),
    coldkey: address(`${uri}//cold`),
    stake: validator ? STAKE_RAO : '0',
    permit: validator,
    uid,
  });
  return {
    netuid: 1,
    owner_hotkey: address('//Owner'),
    drand_seed: 'devnet',
    neurons: [
      neuron('//Owner', 0, false),
      ...Array.from({ length: validators }, (_, i) => neuron(`//Validator${i}`, 1 + i, true)),
      ...Array.from({ length: miners }, (_, i) => neuron(`//Miner${i}`, 1 + validators + i, false)),
    ],
  };
}
