import type { TreeFile } from '../../evaluator/identity/index.ts';
import type { EvaluationStackManifest } from '../../evaluator/manifest/index.ts';
import type { BundleStore, Store } from '../store/index.ts';

/** Content hashes of unpacked bundles kept in memory; a cohort has at most 32 members. */
const UNPACKED_MAX = 48;
/** Bytes of files kept unpacked in memory. */
const UNPACKED_MAX_BYTES = 64 * 1024 * 1024;

export interface BundlesDependencies {
  readonly store: Store;
  readonly bundles: BundleStore;
  /** The archive at a miner's URL, checked against the content hash. */
  fromMiner(url: string, contentHash: string, signal: AbortSignal): Promise<TreeFile[]>;
  /** The pack of a bundle from peers, verified by its hash. */
  fromPeers(contentHash: string, signal: AbortSignal): Promise<Uint8Array>;
  height(): number;
}

/**
 * Bundles by content hash: from the disk, the miner's host, or peers, whoever has them first. A pack is the preimage
 * of the content hash, so that nobody has to be believed.
 */
export class Bundles {
  readonly #dependencies: BundlesDependencies;
  readonly #unpacked = new Map<string, readonly TreeFile[]>();
  #unpackedBytes = 0;

  constructor(dependencies: BundlesDependencies) {
    this.#dependencies = dependencies;
  }

  /** The files if they were opened before in this process; planning is synchronous. */
  opened(contentHash: string): readonly TreeFile[] | null {
    return this.#unpacked.get(contentHash) ?? null;
  }

  /** True if the bundle's pack is on this disk. */
  async isHeld(contentHash: string): Promise<boolean> {
    return this.#dependencies.bundles.has(contentHash);
  }

  /**
   * The files of a bundle, durable here before they are returned.
   * @param url where its miner serves it, or null to ask peers only
   * @throws the last failure if nobody delivers it now
   */
  async acquire(contentHash: string, url: string | null, signal: AbortSignal): Promise<readonly TreeFile[]> {
    const known = this.#unpacked.get(contentHash);
    if (known !== undefined) return known;
    const { bundles, store } = this.#dependencies;
    if (!(await bundles.has(contentHash))) {
      store.bundles.want(contentHash, this.#dependencies.height());
      await this.#fetch(contentHash, url, signal);
      store.bundles.held(contentHash, (await bundles.size(contentHash)) ?? 0);
    }
    const files = await bundles.get(contentHash);
    this.#remember(contentHash, files);
    return files;
  }

  /** Opens the source of every active contribution of a stack, so that it can be planned against. */
  async openStack(manifest: EvaluationStackManifest, signal: AbortSignal): Promise<void> {
    for (const entry of Object.values(manifest.entries)) {
      const digest = entry.type === 'proposal' ? entry.artifact_digest : entry.integrated_source_tree_digest;
      await this.acquire(digest, null, signal);
    }
  }

  async #fetch(contentHash: string, url: string | null, signal: AbortSignal): Promise<void> {
    const { bundles, store } = this.#dependencies;
    if (url !== null) {
      store.bundles.tried(contentHash);
      try {
        await bundles.put(await this.#dependencies.fromMiner(url, contentHash, signal));
        return;
      } catch (error) {
        if (signal.aborted) throw error;
        // A host that goes away hurts nobody while a peer holds the bundle; its failure is told if none does.
        await this.#fromPeers(contentHash, signal).catch(() => {
          throw error;
        });
        return;
      }
    }
    await this.#fromPeers(contentHash, signal);
  }

  async #fromPeers(contentHash: string, signal: AbortSignal): Promise<void> {
    const pack = await this.#dependencies.fromPeers(contentHash, signal);
    await this.#dependencies.bundles.putPack(contentHash, pack);
  }

  #remember(contentHash: string, files: readonly TreeFile[]): void {
    this.#unpacked.set(contentHash, files);
    this.#unpackedBytes += bytesOf(files);
    for (const [oldest, old] of this.#unpacked) {
      const fits = this.#unpacked.size <= UNPACKED_MAX && this.#unpackedBytes <= UNPACKED_MAX_BYTES;
      if (fits || oldest === contentHash) break;
      this.#unpacked.delete(oldest);
      this.#unpackedBytes -= bytesOf(old);
    }
  }
}

function bytesOf(files: readonly TreeFile[]): number {
  return files.reduce((sum, file) => sum + file.data.length, 0);
}
