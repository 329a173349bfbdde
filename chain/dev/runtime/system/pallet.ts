import { bytes, named, u16, u32 } from '../../scale/index.ts';
import type { StateWriter, StorageItem } from '../../storage/index.ts';
import { constant, type Pallet, signedCall } from '../pallet.ts';
import { dispatchError, dispatchInfo } from '../types/dispatch.ts';
import { DEV_RUNTIME_VERSION, runtimeVersion } from '../version.ts';
import * as storage from './storage.ts';

const INDEX = 0;
/** How many blocks back a mortal extrinsic may be anchored, and how many hashes System.BlockHash keeps. */
export const BLOCK_HASH_COUNT = 2400;
export const SS58_PREFIX = 42;

export const SystemEvents = {
  ExtrinsicSuccess: { pallet: INDEX, index: 0, fields: named({ dispatchInfo }) },
  ExtrinsicFailed: { pallet: INDEX, index: 1, fields: named({ dispatchError, dispatchInfo }) },
};

/** `Events` itself holds every pallet's events, so its entry is made where all pallets are known. */
export function systemPallet(events: Pick<StorageItem<never, never, unknown>, 'shape'>): Pallet {
  return {
    name: 'System',
    index: INDEX,
    path: 'frame_system',
    storage: [
      storage.account,
      storage.extrinsicCount,
      storage.blockHash,
      storage.number,
      storage.parentHash,
      events,
      storage.eventCount,
    ],
    calls: {
      remark: signedCall(
        { index: 0, class: 'Normal', paysFee: 'Yes', fields: named({ remark: bytes }) },
        () => undefined,
      ),
    },
    events: SystemEvents,
    errors: {},
    constants: [
      constant('BlockHashCount', u32, BLOCK_HASH_COUNT),
      constant('Version', runtimeVersion, DEV_RUNTIME_VERSION),
      constant('SS58Prefix', u16, SS58_PREFIX),
    ],
  };
}

/** Makes the parent's hash known to the block after it, and forgets the one that is too old. */
export function noteParent(state: StateWriter, parentNumber: number, parentHash: Uint8Array): void {
  storage.number.put(state, [], parentNumber + 1);
  storage.parentHash.put(state, [], parentHash);
  storage.blockHash.put(state, [parentNumber], parentHash);
  if (parentNumber >= BLOCK_HASH_COUNT) storage.blockHash.remove(state, parentNumber - BLOCK_HASH_COUNT);
}
