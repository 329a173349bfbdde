import { decodeAddress } from '@polkadot/util-crypto';
import { SS58_PREFIX } from '../runtime/index.ts';
import { invalidParams } from './errors.ts';
import type { Method, MethodTable, ServedChain } from './method.ts';

const NODE_NAME = 'cacheon-dev-chain';
const NODE_VERSION = '0.1.0';

/** `system_*`. */
export function systemMethods(served: ServedChain): MethodTable {
  const nextIndex: Method = (params) => served.chain().nextNonce(accountOf(params.text(0)));
  return {
    system_name: () => NODE_NAME,
    system_version: () => NODE_VERSION,
    system_chain: () => served.chain().options.chainName,
    system_chainType: () => 'Development',
    system_nodeRoles: () => ['Authority'],
    system_properties: () => ({ ss58Format: SS58_PREFIX, tokenDecimals: 9, tokenSymbol: 'TAO' }),
    system_health: () => ({ peers: 0, isSyncing: false, shouldHavePeers: false }),
    system_syncState: () => {
      const { number } = served.chain().best.header;
      return { startingBlock: 0, currentBlock: number, highestBlock: number };
    },
    system_accountNextIndex: nextIndex,
    account_nextIndex: nextIndex,
  };
}

function accountOf(address: string): Uint8Array {
  try {
    return decodeAddress(address);
  } catch {
    throw invalidParams('not an address');
  }
}
