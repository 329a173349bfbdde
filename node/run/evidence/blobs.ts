import { type BlobKind, type BlobStore, type Store, StoreError } from '../../store/index.ts';

export interface HeldBlobsDependencies {
  readonly store: Store;
  readonly blobs: BlobStore;
  /** Verified bytes from whichever peer delivers them. */
  fetchBlob(digest: string, maxBytes: number, prefer: readonly string[], signal: AbortSignal): Promise<Uint8Array>;
  height(): number;
}

/** Evidence bytes by SHA-256: from the disk, or from peers and then durable here. */
export class HeldBlobs {
  readonly #dependencies: HeldBlobsDependencies;

  constructor(dependencies: HeldBlobsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Stores bytes of our own and returns their digest. */
  async put(bytes: Uint8Array, kind: BlobKind): Promise<string> {
    const { blobs, store } = this.#dependencies;
    const sha256 = await blobs.put(bytes);
    store.blobs.add({ sha256, size: bytes.length, kind, created_height: this.#dependencies.height() });
    return sha256;
  }

  /** True if these bytes are stored in full and may have been shown; a write that a crash cut short has no row. */
  isIndexed(digest: string): boolean {
    return this.#dependencies.store.blobs.get(digest) !== null;
  }

  /**
   * Bytes from the disk, or fetched and stored.
   * @param maxBytes more is not held, wherever it lies: every node answers alike whether it has a result in its bounds
   * @param prefer hotkeys to ask first, such as the author's
   * @throws StoreError BLOB_TOO_LARGE; what the peers' side throws if nobody delivers them now
   */
  async get(
    digest: string,
    kind: BlobKind,
    maxBytes: number,
    prefer: readonly string[],
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const stored = await this.#stored(digest, maxBytes);
    if (stored !== null) return stored;
    const bytes = await this.#dependencies.fetchBlob(digest, maxBytes, prefer, signal);
    await this.put(bytes, kind);
    return bytes;
  }

  /** Null if they are not here; damaged bytes are taken away, so that they are fetched again. */
  async #stored(digest: string, maxBytes: number): Promise<Uint8Array | null> {
    const { blobs, store } = this.#dependencies;
    const size = await blobs.size(digest);
    if (size === null) return null;
    try {
      const bytes = await blobs.get(digest);
      if (bytes.length > maxBytes) throw new StoreError('BLOB_TOO_LARGE', undefined, { field: digest });
      return bytes;
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'BLOB_CORRUPT') throw error;
      store.blobs.remove(digest);
      await blobs.remove(digest);
      return null;
    }
  }
}
