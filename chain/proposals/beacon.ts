import { bytesOf, memberOf, type StateReader, safeIntegerOf } from '../rpc/index.ts';
import type { BeaconSchedule } from '../timelock/index.ts';

/** The beacon whose pulses the chain stores: quicknet on finney, the chain's own on a devnet. */
export interface ChainBeacon extends BeaconSchedule {
  /** 96 bytes of G2. */
  readonly publicKey: Uint8Array;
  /** The newest round whose pulse the chain has, 0 for none. */
  readonly lastStoredRound: number;
}

export async function readBeacon(state: StateReader, signal?: AbortSignal): Promise<ChainBeacon> {
  const field = 'Drand.BeaconConfig';
  const [config, last] = await state.query(
    [
      { pallet: 'Drand', item: 'BeaconConfig', args: [] },
      { pallet: 'Drand', item: 'LastStoredRound', args: [] },
    ],
    signal,
  );
  return {
    publicKey: bytesOf(memberOf(config, 'publicKey', field), `${field}.publicKey`),
    genesisTime: safeIntegerOf(memberOf(config, 'genesisTime', field), `${field}.genesisTime`),
    periodSeconds: safeIntegerOf(memberOf(config, 'period', field), `${field}.period`),
    lastStoredRound: safeIntegerOf(last, 'Drand.LastStoredRound'),
  };
}
