import ipaddr from 'ipaddr.js';
import { memberOf, type StateReader, safeIntegerOf } from '../rpc/index.ts';
import type { Metagraph } from './metagraph.ts';

/** Where a hotkey says on the chain that it listens. */
export interface AxonRecord {
  readonly hotkey: string;
  /** A TCP multiaddr. */
  readonly address: string;
}

const FIELD = 'SubtensorModule.Axons';
const BYTES = { 4: 4, 6: 16 } as const;

/**
 * The axon records of a subnet's validators, all at one hash. A record that names no usable address is left out: it is
 * its owner's mistake and says nothing about the chain.
 */
export async function readAxons(state: StateReader, metagraph: Metagraph, signal?: AbortSignal): Promise<AxonRecord[]> {
  const hotkeys = metagraph.neurons.filter((neuron) => neuron.permit).map((neuron) => neuron.hotkey);
  const values = await state.query(
    hotkeys.map((hotkey) => ({ pallet: 'SubtensorModule', item: 'Axons', args: [metagraph.netuid, hotkey] })),
    signal,
  );
  return values.flatMap((value, i): AxonRecord[] => {
    if (value === null || value === undefined) return [];
    const ipType = safeIntegerOf(memberOf(value, 'ipType', FIELD), `${FIELD}.ipType`);
    const port = safeIntegerOf(memberOf(value, 'port', FIELD), `${FIELD}.port`);
    const ip = BigInt(memberOf(value, 'ip', FIELD).toString());
    const host = ipType === 4 || ipType === 6 ? hostOf(ip, ipType) : null;
    if (host === null || port === 0) return [];
    return [{ hotkey: hotkeys[i] as string, address: `/ip${ipType}/${host}/tcp/${port}` }];
  });
}

/** The text of an address that the chain stores as an integer; null if it has too many bits. */
function hostOf(ip: bigint, ipType: 4 | 6): string | null {
  const length = BYTES[ipType];
  if (ip >> BigInt(8 * length) !== 0n) return null;
  const bytes = Array.from({ length }, (_, i) => Number((ip >> BigInt(8 * (length - 1 - i))) & 0xffn));
  return ipaddr.fromByteArray(bytes).toString();
}
