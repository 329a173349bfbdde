import type { TreeFile } from '../../evaluator/identity/index.ts';
import type { EvaluationStackManifest } from '../../evaluator/manifest/index.ts';
import { type BundleStore, type Store, StoreError } from '../store/index.ts';
import { endsTheNode, RunError } from './errors.ts';
import { orAbort } from './waits.ts';

/** Content hashes of unpacked bundles kept in memory; a cohort has at most 32 members. */
const UNPACKED_MAX = 48;
/** Bytes of files kept unpacked in memory. */
const UNPACKED_MAX_BYTES = 64 * 1024 * 1024;

const UNUSABLE: ReadonlySet<string> = new Set(['BLOB_CORRUPT', 'PACK_MALFORMED']);

export interface BundlesDependencies {
  readonly store: Store;
  readonly bundles: BundleStore;
  /** The archive at a miner's URL, checked against the content hash. */
  fromMiner(url: string, contentHash: string, signal: AbortSignal): Promise<TreeFile[]>;
  /** The pack of a bundle from peers, verified by its hash. @param prefer hotkeys to ask first */
  fromPeers(contentHash: string, prefer: readonly string[], signal: AbortSignal): Promise<Uint8Array>;
  height(): number;
}

/** Where a bundle may come from besides the disk. */
export interface BundleOrigin {
  /** Where its miner serves it, or null to ask peers only. */
  readonly url: string | null;
  /**
   * Who is asked first. Whoever measured a bundle holds it; to ask them first keeps a miner whose host drips bytes from
   * making everybody else miss the ballots.
   */
  readonly first: 'miner' | 'peers';
  /** Hotkeys of peers to ask first. */
  readonly prefer?: readonly string[];
}

/** The files of a stack's active contributions, held for as long as somebody plans against it. */
export type StackSource = (contentHash: string) => readonly TreeFile[] | null;

/**
 * Bundles by content hash: from the disk, the miner's host, or peers, whoever has them first. A pack is the preimage
 * of the content hash, so that nobody has to be believed.
 */
export class Bundles {
  readonly #dependencies: BundlesDependencies;
  readonly #unpacked = new Map<string, readonly TreeFile[]>();
  readonly #fetching = new Map<string, Promise<void>>();
  #unpackedBytes = 0;

  constructor(dependencies: BundlesDependencies) {
    this.#dependencies = dependencies;
  }

  /** The files if they are still unpacked in memory. */
  opened(contentHash: string): readonly TreeFile[] | null {
    return this.#unpacked.get(contentHash) ?? null;
  }

  /** True if the bundle's pack is on this disk, and that of every active contribution of the stack. */
  async isHeld(contentHash: string, manifest: EvaluationStackManifest): Promise<boolean> {
    for (const digest of [contentHash, ...sourcesOf(manifest)]) {
      if (!(await this.#dependencies.bundles.has(digest))) return false;
    }
    return true;
  }

  /**
   * The files of a bundle, durable here before they are returned.
   * @throws the last failure if nobody delivers it now
   */
  async acquire(contentHash: string, origin: BundleOrigin, signal: AbortSignal): Promise<readonly TreeFile[]> {
    const known = this.#unpacked.get(contentHash);
    if (known !== undefined) return known;
    const { bundles, store } = this.#dependencies;
    if (!(await bundles.has(contentHash))) await this.#fetchOnce(contentHash, origin, signal);
    try {
      const files = await bundles.get(contentHash);
      this.#remember(contentHash, files);
      return files;
    } catch (error) {
      // Bytes that are damaged, or that no rule could be held against, are taken away: they are not held, and the next
      // try fetches them again.
      if (error instanceof StoreError && UNUSABLE.has(error.code)) {
        store.bundles.want(contentHash, this.#dependencies.height());
        await bundles.remove(contentHash);
      }
      throw error;
    }
  }

  /**
   * Opens the source of every active contribution of a stack. The caller's own hold on the files lets no other bundle,
   * however large, push them out before it has planned.
   */
  async openStack(manifest: EvaluationStackManifest, signal: AbortSignal): Promise<StackSource> {
    const opened = new Map<string, readonly TreeFile[]>();
    for (const digest of sourcesOf(manifest)) {
      opened.set(digest, await this.acquire(digest, { url: null, first: 'peers' }, signal));
    }
    return (digest) => opened.get(digest) ?? null;
  }

  /** Who comes while a bundle is being fetched waits for that fetch. */
  async #fetchOnce(contentHash: string, origin: BundleOrigin, signal: AbortSignal): Promise<void> {
    const under = this.#fetching.get(contentHash);
    if (under !== undefined) return orAbort(under, signal);
    const work = this.#fetch(contentHash, origin, signal).finally(() => this.#fetching.delete(contentHash));
    this.#fetching.set(contentHash, work);
    return work;
  }

  async #fetch(contentHash: string, origin: BundleOrigin, signal: AbortSignal): Promise<void> {
    const { bundles, store, height } = this.#dependencies;
    store.bundles.want(contentHash, height());
    const { url, prefer = [] } = origin;
    const fromPeers = async (): Promise<void> => {
      const pack = await this.#dependencies.fromPeers(contentHash, prefer, signal);
      await bundles.putPack(contentHash, pack);
    };
    const fromMiner = async (): Promise<void> => {
      if (url === null) throw new RunError('BYTES_UNAVAILABLE', undefined, { field: contentHash });
      store.bundles.tried(contentHash);
      await bundles.put(await this.#dependencies.fromMiner(url, contentHash, signal));
    };
    const [first, second] = origin.first === 'miner' && url !== null ? [fromMiner, fromPeers] : [fromPeers, fromMiner];
    try {
      await first();
    } catch (error) {
      if (signal.aborted || endsTheNode(error)) throw error;
      // A host that goes away hurts nobody while a peer holds the bundle; the first failure is told if neither does.
      await second().catch((other: unknown) => {
        throw signal.aborted || endsTheNode(other) ? other : error;
      });
    }
    store.bundles.held(contentHash, (await bundles.size(contentHash)) ?? 0);
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

function sourcesOf(manifest: EvaluationStackManifest): string[] {
  return Object.values(manifest.entries).map((entry) =>
    entry.type === 'proposal' ? entry.artifact_digest : entry.integrated_source_tree_digest,
  );
}

function bytesOf(files: readonly TreeFile[]): number {
  return files.reduce((sum, file) => sum + file.data.length, 0);
}
