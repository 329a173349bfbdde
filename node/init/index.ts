import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createNodeKey, loadNodeKey } from '../keys/node-key.ts';
import { lockDataDirectory } from '../lock/index.ts';
import { openStore, StoreError } from '../store/index.ts';

/** Where a node keeps what, below `node.data_dir` (`names.md`, Processes). */
export interface DataDirectory {
  readonly root: string;
  readonly database: string;
  readonly keys: string;
}

export function dataDirectory(root: string): DataDirectory {
  return { root, database: join(root, 'node.sqlite'), keys: join(root, 'keys') };
}

export interface InitDependencies {
  readonly randomBytes: (length: number) => Uint8Array;
}

export interface InitResult {
  /** False if the directory was initialised before; nothing is changed then. */
  readonly created: boolean;
  readonly nodeId: string;
  /** Ed25519, hex. */
  readonly nodePublicKey: string;
}

const DIRECTORY_MODE = 0o700;

/**
 * Makes a data directory: node key, database, node id. One that is complete is left as it is. One with a key but no
 * database, or the reverse, is refused: a node that forgets what it has anchored would anchor again.
 * @throws StoreError STORE_MISSING, KeyError, LockError
 */
export function initDataDirectory(root: string, { randomBytes }: InitDependencies): InitResult {
  const { database, keys } = dataDirectory(root);
  makeDirectory(root);
  const lock = lockDataDirectory(root);
  try {
    const hasKey = existsSync(join(keys, 'node.key'));
    if (hasKey !== existsSync(database)) {
      const missing = hasKey ? database : join(keys, 'node.key');
      throw new StoreError('STORE_MISSING', 'only a part of the data directory is here', { field: missing });
    }
    const key = hasKey ? loadNodeKey(keys) : createNodeKey(keys, randomBytes);
    const store = openStore(database, { create: !hasKey });
    try {
      const known = store.meta.nodeId();
      const nodeId = known ?? Buffer.from(randomBytes(16)).toString('hex');
      if (known === null) store.meta.setNodeId(nodeId);
      return { created: !hasKey, nodeId, nodePublicKey: Buffer.from(key.publicKey).toString('hex') };
    } finally {
      store.close();
    }
  } finally {
    lock.release();
  }
}

function makeDirectory(root: string): void {
  try {
    mkdirSync(root, { recursive: true, mode: DIRECTORY_MODE });
    for (const name of ['evidence', 'bundles', 'consensus']) {
      mkdirSync(join(root, name), { recursive: true, mode: DIRECTORY_MODE });
    }
  } catch (cause) {
    throw new StoreError('STORE_UNWRITABLE', (cause as NodeJS.ErrnoException).code, { field: root, cause });
  }
  if (!lstatSync(root).isDirectory()) throw new StoreError('STORE_UNWRITABLE', 'not a directory', { field: root });
}
