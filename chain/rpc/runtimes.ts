import { ChainError } from '../errors.ts';
import { BoundedMap } from './bounded.ts';
import type { RpcClient } from './client.ts';
import { orAbort } from './clock.ts';
import { isHex } from './header.ts';
import { METADATA_MAX_BYTES, RUNTIMES_KEPT, VERSIONS_KEPT } from './limits.ts';
import { buildRuntime, type Runtime } from './runtime.ts';
import { parseRuntimeVersion, type RuntimeVersion } from './version.ts';

/** The runtime of any block, built once per version; a bounded number is kept. */
export class Runtimes {
  readonly #rpc: Pick<RpcClient, 'call'>;
  readonly #versions = new BoundedMap<string, RuntimeVersion>(VERSIONS_KEPT);
  readonly #runtimes = new BoundedMap<string, Promise<Runtime>>(RUNTIMES_KEPT);

  constructor(rpc: Pick<RpcClient, 'call'>) {
    this.#rpc = rpc;
  }

  /** Runtime versions held now, for metrics and the soak test. */
  get kept(): number {
    return this.#runtimes.size;
  }

  /** The runtime in the state of block `hash`: it decodes that state and the events of the block's children. */
  async at(hash: string, signal?: AbortSignal): Promise<Runtime> {
    const version = await this.#version(hash, signal);
    const name = `${version.specName}/${version.specVersion}`;
    let building = this.#runtimes.get(name);
    if (building === undefined) {
      // Shared by all who ask, so no single caller's signal may end it; the call has its own deadline.
      building = this.#build(hash, version);
      building.catch(() => this.#runtimes.delete(name));
      this.#runtimes.set(name, building);
    }
    return signal === undefined ? building : orAbort(building, signal);
  }

  async #version(hash: string, signal?: AbortSignal): Promise<RuntimeVersion> {
    const known = this.#versions.get(hash);
    if (known !== undefined) return known;
    const version = parseRuntimeVersion(await this.#rpc.call('state_getRuntimeVersion', [hash], { signal }));
    this.#versions.set(hash, version);
    return version;
  }

  async #build(hash: string, version: RuntimeVersion): Promise<Runtime> {
    const metadata = await this.#rpc.call('state_getMetadata', [hash]);
    if (!isHex(metadata) || metadata.length > 2 + 2 * METADATA_MAX_BYTES) {
      throw new ChainError('RPC_MALFORMED', undefined, { field: 'state_getMetadata' });
    }
    return buildRuntime(metadata, version);
  }
}
