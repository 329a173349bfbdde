import { join } from 'node:path';
import { isHexDigest, sha256Hex } from '../../../evaluator/identity/index.ts';
import { StoreError } from '../errors.ts';
import { BLOB_MAX_BYTES, RESERVED_FREE_BYTES } from '../limits.ts';
import { openSealedFolder } from '../sealed.ts';

/** Evidence bytes by their SHA-256. What `get` returns has been hashed again. */
export interface BlobStore {
  /** Stores bytes durably and returns their digest. @throws StoreError BLOB_TOO_LARGE, DISK_FULL */
  put(bytes: Uint8Array): Promise<string>;
  /** @throws StoreError BLOB_MISSING, BLOB_CORRUPT */
  get(digest: string): Promise<Uint8Array>;
  has(digest: string): Promise<boolean>;
  /** Bytes, or null if it is not here. */
  size(digest: string): Promise<number | null>;
  /** A part, for serving a peer that hashes the whole itself; not hashed here. */
  read(digest: string, offset: number, length: number): Promise<Uint8Array>;
  remove(digest: string): Promise<void>;
}

export interface BlobStoreOptions {
  readonly maxBytes?: number;
  readonly reservedFreeBytes?: number;
}

/** Opens the content-addressed evidence store at `evidence/ab/<sha256>` below a data directory. */
export async function openBlobStore(dataDir: string, options: BlobStoreOptions = {}): Promise<BlobStore> {
  const { maxBytes = BLOB_MAX_BYTES, reservedFreeBytes = RESERVED_FREE_BYTES } = options;
  const folder = await openSealedFolder(join(dataDir, 'evidence'), reservedFreeBytes);
  return {
    async put(bytes) {
      if (bytes.length > maxBytes) throw new StoreError('BLOB_TOO_LARGE', `${bytes.length} bytes, limit ${maxBytes}`);
      const digest = sha256Hex(bytes);
      await folder.write(pathOf(digest), [bytes]);
      return digest;
    },
    async get(digest) {
      const bytes = await folder.read(pathOf(digest), 0, maxBytes + 1);
      if (sha256Hex(bytes) !== digest) throw new StoreError('BLOB_CORRUPT', undefined, { field: digest });
      return bytes;
    },
    has: async (digest) => (await folder.size(pathOf(digest))) !== null,
    size: (digest) => folder.size(pathOf(digest)),
    read: (digest, offset, length) => folder.read(pathOf(digest), offset, length),
    remove: (digest) => folder.remove(pathOf(digest)),
  };
}

/** Only a digest becomes a path: a peer's request can name nothing else. */
function pathOf(digest: string): string {
  if (!isHexDigest(digest)) throw new StoreError('BLOB_MISSING', 'not a SHA-256 digest', { fault: 'peer' });
  return join(digest.slice(0, 2), digest);
}
