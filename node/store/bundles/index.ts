import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isHexDigest, sha256Hex, type TreeFile } from '../../../evaluator/identity/index.ts';
import { StoreError } from '../errors.ts';
import { PACK_MAX_BYTES, RESERVED_FREE_BYTES } from '../limits.ts';
import { openSealedFolder } from '../sealed.ts';
import { packChunks, unpack } from './pack.ts';

export { packChunks, unpack };

/** Bundles by content hash, one read-only pack each. What `get` returns has been hashed again. */
export interface BundleStore {
  /** Publishes a list of files and returns its content hash and the pack's size in bytes. */
  put(files: readonly TreeFile[]): Promise<{ contentHash: string; size: number }>;
  /**
   * Publishes a pack received from a peer.
   * @throws StoreError PACK_MALFORMED if it is not the pack of that content hash
   */
  putPack(hash: string, pack: Uint8Array): Promise<void>;
  /** @throws StoreError BLOB_MISSING, BLOB_CORRUPT */
  get(hash: string): Promise<TreeFile[]>;
  has(hash: string): Promise<boolean>;
  size(hash: string): Promise<number | null>;
  /** A part of the pack, for serving a peer. */
  read(hash: string, offset: number, length: number): Promise<Uint8Array>;
  remove(hash: string): Promise<void>;
}

/** Opens the bundle store at `bundles/<content hash>.pack` below a data directory. */
export async function openBundleStore(
  dataDir: string,
  options: { readonly reservedFreeBytes?: number } = {},
): Promise<BundleStore> {
  const folder = await openSealedFolder(join(dataDir, 'bundles'), options.reservedFreeBytes ?? RESERVED_FREE_BYTES);
  return {
    async put(files) {
      const chunks = packChunks(files);
      const hash = createHash('sha256');
      for (const chunk of chunks) hash.update(chunk);
      const name = hash.digest('hex');
      await folder.write(nameOf(name), chunks);
      return { contentHash: name, size: chunks.reduce((sum, chunk) => sum + chunk.length, 0) };
    },
    async putPack(hash, pack) {
      if (sha256Hex(pack) !== hash) throw new StoreError('PACK_MALFORMED', 'of another content hash');
      // Bytes that merely have the hash but break the limits are no bundle.
      unpack(pack);
      await folder.write(nameOf(hash), [pack]);
    },
    async get(hash) {
      const pack = await folder.read(nameOf(hash), 0, PACK_MAX_BYTES + 1);
      if (sha256Hex(pack) !== hash) throw new StoreError('BLOB_CORRUPT', undefined, { field: hash });
      return unpack(pack);
    },
    has: async (hash) => (await folder.size(nameOf(hash))) !== null,
    size: (hash) => folder.size(nameOf(hash)),
    read: (hash, offset, length) => folder.read(nameOf(hash), offset, length),
    remove: (hash) => folder.remove(nameOf(hash)),
  };
}

function nameOf(hash: string): string {
  if (!isHexDigest(hash)) throw new StoreError('BLOB_MISSING', 'not a content hash', { fault: 'peer' });
  return `${hash}.pack`;
}
