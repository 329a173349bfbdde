import { createHash } from 'node:crypto';
import { beaconSecret, genesisBlock } from '../block/index.ts';
import type { DevChainConfig } from '../config.ts';
import { DevChainError } from '../errors.ts';
import type { Runtime } from '../runtime/index.ts';
import { ChainStore } from '../store/index.ts';
import { Chain } from './chain.ts';

/** The second chain, which dev_switchGenesis serves, lives in a file beside the first. */
const FILE_SUFFIXES = ['', '.other'] as const;
export type ChainIndex = 0 | 1;

/**
 * Opens the chain in its database, creating it with its genesis block first if there is none. `now` (unix ms) becomes
 * the genesis time of a new chain. DEVCHAIN_OTHER_GENESIS if the database was made from another genesis configuration.
 */
export function openChain(config: DevChainConfig, runtime: Runtime, index: ChainIndex, now: number): Chain {
  const { genesis } = config;
  const secret = beaconSecret(genesis.drand_seed);
  const path = config.db_path === ':memory:' ? config.db_path : `${config.db_path}${FILE_SUFFIXES[index]}`;
  const store = new ChainStore(path);
  try {
    const digest = createHash('sha256').update(JSON.stringify(genesis)).digest();
    const known = store.meta('genesis_config');
    if (known === null) {
      const genesisTime = genesis.genesis_time ?? Math.floor(now / 1000);
      const block = genesisBlock({ config: genesis, beaconSecret: secret, genesisTime, chainIndex: index });
      store.commit(block, 0, { genesis_config: digest });
    } else if (Buffer.compare(known, digest) !== 0) {
      throw new DevChainError('DEVCHAIN_OTHER_GENESIS', undefined, { field: path });
    }
    const options = {
      chainName: genesis.chain_name,
      netuid: genesis.netuid,
      finalityLag: config.finality_lag,
      stateBlocksKept: config.state_blocks_kept,
      beaconSecret: secret,
    };
    return new Chain(options, runtime, store);
  } catch (error) {
    store.close();
    throw error;
  }
}
