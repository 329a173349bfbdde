import { named, option, struct, u32, u64, vec } from '../../scale/index.ts';
import { authorCall, type BlockContext, failWith, type Pallet } from '../pallet.ts';
import { multiSignature, multiSigner } from '../types/account.ts';
import * as storage from './storage.ts';

export const DRAND_INDEX = 26;
/** Pulses kept: 7.5 days. */
const PULSES_KEPT = 216_000n;
const PRUNED_PER_WRITE_MAX = 100;

const pulsesPayload = struct(
  'pallet_drand::types::PulsesPayload',
  named({ blockNumber: u32, pulses: vec(storage.pulse), public: multiSigner }),
  [
    { name: 'Public', type: multiSigner.shape },
    { name: 'BlockNumber', type: u32.shape },
  ],
);

const events = { NewPulse: { pallet: DRAND_INDEX, index: 1, fields: named({ rounds: vec(u64) }) } };
const errors = { InvalidRoundNumber: 4 };
const fail = failWith(DRAND_INDEX, errors);

/** Stores pulses. On this chain the author alone calls it, with pulses it has just signed. */
export const writePulse = authorCall(
  {
    index: 0,
    class: 'Operational',
    paysFee: 'No',
    fields: named({ pulsesPayload, signature: option(multiSignature) }),
  },
  (context, { pulsesPayload: { pulses } }) => {
    const { state } = context;
    const rounds: bigint[] = [];
    for (const pulse of pulses) {
      const last = storage.lastStoredRound.get(state);
      if (pulse.round !== last + 1n) fail('InvalidRoundNumber');
      storage.pulses.put(state, [pulse.round], pulse);
      storage.lastStoredRound.put(state, [], pulse.round);
      if (last === 0n) storage.oldestStoredRound.put(state, [], pulse.round);
      rounds.push(pulse.round);
    }
    prune(context);
    context.deposit(events.NewPulse, { rounds });
  },
);

function prune({ state }: BlockContext): void {
  const last = storage.lastStoredRound.get(state);
  let oldest = storage.oldestStoredRound.get(state);
  for (let pruned = 0; pruned < PRUNED_PER_WRITE_MAX && last - oldest + 1n > PULSES_KEPT; pruned += 1) {
    storage.pulses.remove(state, oldest);
    oldest += 1n;
  }
  storage.oldestStoredRound.put(state, [], oldest);
}

export const drandPallet: Pallet = {
  name: 'Drand',
  index: DRAND_INDEX,
  path: 'pallet_drand',
  storage: [storage.beaconConfig, storage.pulses, storage.lastStoredRound, storage.oldestStoredRound],
  calls: { write_pulse: writePulse },
  events,
  errors,
  constants: [],
};
