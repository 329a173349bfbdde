import { blake2AsU8a } from '@polkadot/util-crypto';
import type { StateEdit } from '../block/index.ts';
import {
  type BlockContext,
  register,
  setPermit,
  subtensorStorage as subtensor,
  subtensorEvents,
} from '../runtime/index.ts';

/** TotalHotkeyAlpha, in rao. */
export function setStake(netuid: number, hotkey: Uint8Array, stake: bigint): StateEdit {
  return ({ state }) => subtensor.totalHotkeyAlpha.put(state, [hotkey, netuid], stake);
}

/** ValidatorPermit of a registered hotkey; nothing for another one. */
export function grantPermit(netuid: number, hotkey: Uint8Array, permit: boolean): StateEdit {
  return ({ state }) => {
    const uid = subtensor.uids.get(state, netuid, hotkey);
    if (uid !== null) setPermit(state, netuid, uid, permit);
  };
}

/** Registers at the next free uid, without permit; a hotkey that is registered stays as it is. */
export function registerNeuron(netuid: number, hotkey: Uint8Array, coldkey: Uint8Array): StateEdit {
  return (context) => {
    if (subtensor.uids.get(context.state, netuid, hotkey) !== null) return;
    registerAt(context, netuid, subtensor.subnetworkN.get(context.state, netuid), hotkey, coldkey);
  };
}

/** A hotkey leaves as on subtensor: another one, here a key nobody has, gets its uid. */
export function deregister(netuid: number, hotkey: Uint8Array): StateEdit {
  return (context) => {
    const uid = subtensor.uids.get(context.state, netuid, hotkey);
    if (uid === null) return;
    const successor = blake2AsU8a(Buffer.concat([hotkey, Buffer.from(`recycled in ${context.number}`)]), 256);
    registerAt(context, netuid, uid, successor, successor);
  };
}

function registerAt(context: BlockContext, netuid: number, uid: number, hotkey: Uint8Array, coldkey: Uint8Array): void {
  register(context.state, netuid, context.number, { hotkey, coldkey, uid, permit: false });
  context.deposit(subtensorEvents.NeuronRegistered, [netuid, uid, hotkey]);
}
