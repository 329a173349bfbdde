import type { SubnetState } from '../../evaluator/peer/types.ts';
import { accountOf, flagOf, integerOf, itemsOf, type StateReader, safeIntegerOf } from '../rpc/index.ts';

export interface Neuron {
  readonly uid: number;
  readonly hotkey: string;
  /** `Owner(hotkey)`; null if absent or zero. */
  readonly coldkey: string | null;
  readonly permit: boolean;
  /** TotalHotkeyAlpha(hotkey, netuid) as a decimal string: own alpha only. */
  readonly stake: string;
}

/** The subnet at one block, every value read at the same hash. */
export interface Metagraph {
  readonly hash: string;
  readonly netuid: number;
  /** By ascending uid. */
  readonly neurons: readonly Neuron[];
  /** SubnetOwnerHotkey; null if absent or zero. */
  readonly ownerHotkey: string | null;
}

const PALLET = 'SubtensorModule';
/** The zero account, subtensor's default where no owner is stored. */
export const ZERO_ACCOUNT = '5C4hrfjw9DjXZTzV3MwzrrAr9P1MJhSrvWGWqi1eSuyUpnhM';

/** Reads the metagraph in three round trips for 256 neurons. */
export async function readMetagraph(state: StateReader, netuid: number, signal?: AbortSignal): Promise<Metagraph> {
  const of = (item: string, ...args: readonly unknown[]) => ({ pallet: PALLET, item, args });
  const [count, permits, owner] = await state.query(
    [of('SubnetworkN', netuid), of('ValidatorPermit', netuid), of('SubnetOwnerHotkey', netuid)],
    signal,
  );
  const uids = Array.from({ length: safeIntegerOf(count, `${PALLET}.SubnetworkN`) }, (_, uid) => uid);
  const keys = await state.query(
    uids.map((uid) => of('Keys', netuid, uid)),
    signal,
  );
  const hotkeys = keys.map((key) => accountOf(key, `${PALLET}.Keys`));
  const details = await state.query(
    hotkeys.flatMap((hotkey) => [of('TotalHotkeyAlpha', hotkey, netuid), of('Owner', hotkey)]),
    signal,
  );
  const permitted = itemsOf(permits, `${PALLET}.ValidatorPermit`);
  return {
    hash: state.hash,
    netuid,
    ownerHotkey: orNull(accountOf(owner, `${PALLET}.SubnetOwnerHotkey`)),
    neurons: hotkeys.map((hotkey, uid) => ({
      uid,
      hotkey,
      coldkey: orNull(accountOf(details[2 * uid + 1], `${PALLET}.Owner`)),
      // The runtime too reads a uid beyond the list as without permit.
      permit: uid < permitted.length && flagOf(permitted[uid], `${PALLET}.ValidatorPermit`),
      stake: integerOf(details[2 * uid], `${PALLET}.TotalHotkeyAlpha`).toString(),
    })),
  };
}

/** The metagraph as the fold reads it (`peer-protocol.md` section 6). */
export function subnetState({ neurons, ownerHotkey }: Metagraph): SubnetState {
  const others: Record<string, string | null> = {};
  for (const { hotkey, coldkey, permit } of neurons) if (!permit) others[hotkey] = coldkey;
  return {
    validators: neurons
      .filter(({ permit }) => permit)
      .map(({ hotkey, coldkey, stake }) => ({ hotkey, coldkey: coldkey ?? ZERO_ACCOUNT, stake, permit: true })),
    others,
    owner_hotkey: ownerHotkey,
  };
}

function orNull(account: string): string | null {
  return account === ZERO_ACCOUNT ? null : account;
}
