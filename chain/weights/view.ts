import { ChainError } from '../errors.ts';
import { ZERO_ACCOUNT } from '../metagraph/index.ts';
import { accountOf, flagOf, itemsOf, type StateReader, type StorageRequest, safeIntegerOf } from '../rpc/index.ts';
import type { WeightsView } from './journal.ts';
import type { WeightsVector } from './vector.ts';

const PALLET = 'SubtensorModule';

export interface ViewOptions {
  readonly netuid: number;
  /** This node's hotkey. */
  readonly hotkey: string;
  readonly height: number;
  /** The uids whose hotkeys to look at. */
  readonly uids: readonly number[];
}

/** Reads everything the journal looks at from one finalized state, in two round trips. */
export async function readWeightsView(
  state: StateReader,
  { netuid, hotkey, height, uids }: ViewOptions,
  signal?: AbortSignal,
): Promise<WeightsView> {
  const of = (item: string, ...args: readonly unknown[]): StorageRequest => ({ pallet: PALLET, item, args });
  const [uid, count, commitReveal, rateLimit, lastUpdates, ...keys] = await state.query(
    [
      of('Uids', netuid, hotkey),
      of('SubnetworkN', netuid),
      of('CommitRevealWeightsEnabled', netuid),
      of('WeightsSetRateLimit', netuid),
      of('LastUpdate', netuid),
      ...uids.map((each) => of('Keys', netuid, each)),
    ],
    signal,
  );
  const ownUid = uid === null || uid === undefined ? null : safeIntegerOf(uid, `${PALLET}.Uids`);
  const last = ownUid === null ? undefined : itemsOf(lastUpdates, `${PALLET}.LastUpdate`)[ownUid];
  if (ownUid !== null && last === undefined) {
    throw new ChainError('RUNTIME_UNKNOWN', 'no LastUpdate of a registered uid', { field: `${PALLET}.LastUpdate` });
  }
  const members = safeIntegerOf(count, `${PALLET}.SubnetworkN`);
  return {
    height,
    commitReveal: flagOf(commitReveal, `${PALLET}.CommitRevealWeightsEnabled`),
    ownUid,
    lastUpdate: last === undefined ? 0 : safeIntegerOf(last, `${PALLET}.LastUpdate`),
    rateLimit: safeIntegerOf(rateLimit, `${PALLET}.WeightsSetRateLimit`),
    stored: ownUid === null ? { uids: [], values: [] } : await storedWeights(state, netuid, ownUid, signal),
    hotkeys: keys.map((key, i) => {
      const account = accountOf(key, `${PALLET}.Keys`);
      return (uids[i] as number) < members && account !== ZERO_ACCOUNT ? account : null;
    }),
  };
}

async function storedWeights(
  state: StateReader,
  netuid: number,
  uid: number,
  signal?: AbortSignal,
): Promise<WeightsVector> {
  const field = `${PALLET}.Weights`;
  const pairs = itemsOf(await state.get(PALLET, 'Weights', [netuid, uid], signal), field)
    .map((pair) => itemsOf(pair, field).map((number) => safeIntegerOf(number, field)))
    .sort(([a], [b]) => (a as number) - (b as number));
  return { uids: pairs.map(([target]) => target as number), values: pairs.map(([, value]) => value as number) };
}
