import { decodeAddress } from '@polkadot/util-crypto';
import type { Producer } from '../chain/index.ts';
import { toHex } from '../hex.ts';
import { invalidParams, type MethodTable, type Params, type ServedChain } from '../rpc/index.ts';
import { deregister, grantPermit, registerNeuron, setStake } from './edits.ts';
import type { HeadSkipper } from './heads.ts';

const SKIPPED_HEADS_MAX = 10_000;

export interface AdminDependencies {
  readonly served: ServedChain;
  readonly producer: Producer;
  readonly heads: HeadSkipper;
  readonly dropSockets: () => void;
  readonly switchGenesis: () => void;
}

/**
 * `dev_*`: faults and edits for tests. Edits become part of the next block, whose height is the answer; they are
 * not kept if the process ends before.
 */
export function adminMethods({ served, producer, heads, dropSockets, switchGenesis }: AdminDependencies): MethodTable {
  const nextHeight = (): number => served.chain().best.header.number + 1;
  return {
    dev_stallFinality: (params) => {
      served.chain().stallFinality(params.boolean(0));
      return true;
    },
    dev_skipHeads: (params) => {
      const count = params.integer(0);
      if (count > SKIPPED_HEADS_MAX) throw invalidParams('too many heads');
      heads.skip(count);
      return true;
    },
    dev_dropSockets: () => {
      setImmediate(dropSockets); // so that the answer goes out first
      return true;
    },
    dev_switchGenesis: () => {
      switchGenesis();
      return toHex(served.chain().genesisHash);
    },
    dev_produceBlock: () => {
      const { header, hash } = producer.produce();
      return { number: header.number, hash: toHex(hash) };
    },
    dev_setStake: (params) => {
      served.chain().edit(setStake(served.chain().options.netuid, account(params, 0), u64(params, 1)));
      return nextHeight();
    },
    dev_setPermit: (params) => {
      served.chain().edit(grantPermit(served.chain().options.netuid, account(params, 0), params.boolean(1)));
      return nextHeight();
    },
    dev_setRegistered: (params) => {
      const { netuid } = served.chain().options;
      const hotkey = account(params, 0);
      const edit = params.boolean(1) ? registerNeuron(netuid, hotkey, account(params, 2)) : deregister(netuid, hotkey);
      served.chain().edit(edit);
      return nextHeight();
    },
  };
}

function account(params: Params, index: number): Uint8Array {
  try {
    return decodeAddress(params.text(index));
  } catch {
    throw invalidParams(`parameter ${index} is not an address`);
  }
}

/** A u64 as a decimal string. */
function u64(params: Params, index: number): bigint {
  const text = params.text(index);
  if (!/^[0-9]{1,20}$/.test(text) || BigInt(text) >> 64n !== 0n) throw invalidParams(`parameter ${index} is not a u64`);
  return BigInt(text);
}
