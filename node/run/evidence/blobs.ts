import type { BlobKind, BlobStore, Store } from '../../store/index.ts';

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

  /**
   * Bytes from the disk, or fetched and stored.
   * @param prefer hotkeys to ask first, such as the author's
   * @throws what the peers' side throws if nobody delivers them now
   */
  async get(
    digest: string,
    kind: BlobKind,
    maxBytes: number,
    prefer: readonly string[],
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const { blobs } = this.#dependencies;
    if (await blobs.has(digest)) return blobs.get(digest);
    const bytes = await this.#dependencies.fetchBlob(digest, maxBytes, prefer, signal);
    await this.put(bytes, kind);
    return bytes;
  }
}
