import { join } from 'node:path';
import type { KeyringPair } from '@polkadot/keyring/types';
import type { NodeConfig } from '../../config/schema/index.ts';
import { type NodeKey, nodeKeyFromSeed } from '../../p2p/index.ts';
import { loadHotkey, loadNodeKey } from '../keys/index.ts';
import { lockDataDirectory } from '../lock/index.ts';
import {
  type BlobStore,
  type BundleStore,
  openBlobStore,
  openBundleStore,
  openStore,
  type Store,
} from '../store/index.ts';

/** What a node owns on its disk, held by its lock. */
export interface Resources {
  readonly store: Store;
  readonly blobs: BlobStore;
  readonly bundles: BundleStore;
  readonly hotkey: KeyringPair;
  readonly nodeKey: NodeKey;
  readonly keyFolder: string;
  close(): void;
}

/**
 * Locks the data directory, opens its stores and loads the keys. Anything wrong here is the operator's to mend.
 * @throws LockError, KeyError, StoreError
 */
export async function openResources(config: NodeConfig): Promise<Resources> {
  const { data_dir: dataDir } = config.node;
  const hotkey = await loadHotkey(config.keys);
  const keyFolder = join(dataDir, 'keys');
  const lock = lockDataDirectory(dataDir);
  let store: Store | null = null;
  try {
    const nodeKey = await nodeKeyFromSeed(loadNodeKey(keyFolder).seed);
    store = openStore(join(dataDir, 'node.sqlite'));
    const opened = store;
    return {
      store,
      blobs: await openBlobStore(dataDir),
      bundles: await openBundleStore(dataDir),
      hotkey,
      nodeKey,
      keyFolder,
      close: () => {
        opened.close();
        lock.release();
      },
    };
  } catch (error) {
    store?.close();
    lock.release();
    throw error;
  }
}
