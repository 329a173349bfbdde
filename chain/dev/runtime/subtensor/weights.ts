import { named, u16, u64, vec } from '../../scale/index.ts';
import type { StateReader } from '../../storage/index.ts';
import { signedCall } from '../pallet.ts';
import { failSubtensor as fail, subtensorEvents } from './events.ts';
import * as storage from './storage.ts';
import { setLastUpdate } from './subnet.ts';

const U16_MAX = 65_535;

/** `set_weights` with subtensor's checks in subtensor's order (`notes/chain.md` section 3). */
export const setWeights = signedCall(
  {
    index: 0,
    class: 'Normal',
    paysFee: 'No',
    fields: named({ netuid: u16, dests: vec(u16), weights: vec(u16), versionKey: u64 }),
  },
  (context, who, { netuid, dests, weights, versionKey }) => {
    const { state, number } = context;
    if (storage.commitRevealWeightsEnabled.get(state, netuid)) fail('CommitRevealEnabled');
    if (dests.length !== weights.length) fail('WeightVecNotEqualSize');
    if (!storage.networksAdded.get(state, netuid)) fail('MechanismDoesNotExist');
    if (dests.length > storage.subnetworkN.get(state, netuid)) fail('UidsLengthExceedUidsInSubNet');
    const uid = storage.uids.get(state, netuid, who) ?? fail('HotKeyNotRegisteredInSubNet');
    if (storage.totalHotkeyAlpha.get(state, who, netuid) < storage.stakeThreshold.get(state)) {
      fail('NotEnoughStakeToSetWeights');
    }
    const networkKey = storage.weightsVersionKey.get(state, netuid);
    if (networkKey !== 0n && versionKey < networkKey) fail('IncorrectWeightVersionKey');
    if (!rateLimitPassed(state, netuid, uid, number)) fail('SettingWeightsTooFast');
    const onlySelf = dests.length === 1 && dests[0] === uid;
    if (!onlySelf && storage.validatorPermit.get(state, netuid)[uid] !== true) fail('NeuronNoValidatorPermit');
    checkVector(state, netuid, dests, onlySelf);
    const upscaled = maxUpscale(weights);
    const limit = storage.maxWeightsLimit.get(state, netuid);
    if (!onlySelf && limit < U16_MAX && exceedsShare(upscaled, limit)) fail('MaxWeightExceeded');
    storage.weights.put(
      state,
      [netuid, uid],
      dests.map((dest, index) => [dest, upscaled[index]!] as const),
    );
    setLastUpdate(state, netuid, uid, number);
    context.deposit(subtensorEvents.WeightsSet, [netuid, uid]);
  },
);

function rateLimitPassed(state: StateReader, netuid: number, uid: number, block: number): boolean {
  const last = storage.lastUpdate.get(state, netuid)[uid] ?? 0n;
  return last === 0n || BigInt(block) - last >= storage.weightsSetRateLimit.get(state, netuid);
}

function checkVector(state: StateReader, netuid: number, dests: readonly number[], onlySelf: boolean): void {
  const count = storage.subnetworkN.get(state, netuid);
  if (new Set(dests).size < dests.length) fail('DuplicateUids');
  if (dests.some((dest) => dest >= count)) fail('UidVecContainInvalidOne');
  const least = Math.min(count, storage.minAllowedWeights.get(state, netuid));
  if (!onlySelf && dests.length < least) fail('WeightVecLengthIsLow');
}

/** Scales so that the largest weight is 65535, in the runtime's 32-bit fixed point, rounding to nearest. */
export function maxUpscale(weights: readonly number[]): number[] {
  const largest = Math.max(0, ...weights);
  if (largest === 0) return [...weights];
  const ratio = (BigInt(U16_MAX) << 32n) / BigInt(largest);
  return weights.map((weight) => Number((BigInt(weight) * ratio + (1n << 31n)) >> 32n));
}

/** True if some weight's share of the sum is above `limit` of 65535. */
function exceedsShare(weights: readonly number[], limit: number): boolean {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.some((weight) => weight * U16_MAX > limit * sum);
}
