import type { StateReader, StateWriter } from '../../storage/index.ts';
import type { Bytes32 } from '../types/account.ts';
import * as storage from './storage.ts';

export function isRegistered(state: StateReader, netuid: number, hotkey: Bytes32): boolean {
  return storage.uids.get(state, netuid, hotkey) !== null;
}

/** The epoch a block lies in, for specs without stateful epochs (`notes/timelock.md` section 2). */
export function epochIndex(state: StateReader, netuid: number, block: number): bigint {
  return BigInt(Math.floor((block + netuid + 1) / (storage.tempo.get(state, netuid) + 1)));
}

/** The list with `value` at `index`, filled up with `filler` where it was shorter. */
export function withItem<T>(list: readonly T[], index: number, value: T, filler: T): T[] {
  return Array.from({ length: Math.max(list.length, index + 1) }, (_, i) =>
    i === index ? value : (list[i] ?? filler),
  );
}

export interface Neuron {
  readonly hotkey: Bytes32;
  readonly coldkey: Bytes32;
  readonly uid: number;
  readonly permit: boolean;
}

/**
 * Registers a hotkey at a uid. Whoever was there is gone from Uids, and weights, axon and permit start afresh,
 * as when subtensor recycles a uid.
 */
export function register(state: StateWriter, netuid: number, block: number, neuron: Neuron): void {
  const { hotkey, coldkey, uid, permit } = neuron;
  const count = storage.subnetworkN.get(state, netuid);
  if (uid < count) {
    const before = storage.keys.get(state, netuid, uid);
    storage.uids.remove(state, netuid, before);
    storage.isNetworkMember.remove(state, before, netuid);
    storage.axons.remove(state, netuid, before);
    storage.weights.remove(state, netuid, uid);
  }
  storage.subnetworkN.put(state, [netuid], Math.max(count, uid + 1));
  storage.owner.put(state, [hotkey], coldkey);
  storage.uids.put(state, [netuid, hotkey], uid);
  storage.keys.put(state, [netuid, uid], hotkey);
  storage.isNetworkMember.put(state, [hotkey, netuid], true);
  storage.blockAtRegistration.put(state, [netuid, uid], BigInt(block));
  storage.active.put(state, [netuid], withItem(storage.active.get(state, netuid), uid, true, false));
  setPermit(state, netuid, uid, permit);
  setLastUpdate(state, netuid, uid, block);
}

export function setPermit(state: StateWriter, netuid: number, uid: number, permit: boolean): void {
  const permits = storage.validatorPermit.get(state, netuid);
  storage.validatorPermit.put(state, [netuid], withItem(permits, uid, permit, false));
}

export function setLastUpdate(state: StateWriter, netuid: number, uid: number, block: number): void {
  const updates = storage.lastUpdate.get(state, netuid);
  storage.lastUpdate.put(state, [netuid], withItem(updates, uid, BigInt(block), 0n));
}
