import { bool, compactU64, named, u64 } from '../../scale/index.ts';
import { defaulted } from '../../storage/index.ts';
import { authorCall, constant, type Pallet } from '../pallet.ts';

/** Unix milliseconds of the block. */
export const now = defaulted('Timestamp', 'Now', [], u64, 0n);
const didUpdate = defaulted('Timestamp', 'DidUpdate', [], bool, false);

export const TIMESTAMP_INDEX = 2;

export const setTimestamp = authorCall(
  { index: 0, class: 'Mandatory', paysFee: 'Yes', fields: named({ now: compactU64 }) },
  ({ state }, value) => now.put(state, [], value.now),
);

/** Clients take twice `minimumPeriodMs` as the expected block time. */
export function timestampPallet(minimumPeriodMs: bigint): Pallet {
  return {
    name: 'Timestamp',
    index: TIMESTAMP_INDEX,
    path: 'pallet_timestamp',
    storage: [now, didUpdate],
    calls: { set: setTimestamp },
    events: {},
    errors: {},
    constants: [constant('MinimumPeriod', u64, minimumPeriodMs)],
  };
}
