import { type CompilerOptions, checkSource, compile, type SourceFile, WasmError } from '../wasm/index.ts';
import { buildKey, ModuleCache } from './cache.ts';

export interface BuilderOptions extends CompilerOptions {
  /** Where compiled modules are kept; made if it is not there. */
  readonly cacheDir: string;
}

/** Compiles what the cache does not have; always answers with the bytes that were read back from the cache. */
export class Builder {
  readonly #options: BuilderOptions;
  readonly #cache: ModuleCache;

  constructor(options: BuilderOptions) {
    this.#options = options;
    this.#cache = new ModuleCache(options.cacheDir);
  }

  /** @throws WasmError */
  async build(entry: string, files: readonly SourceFile[], signal: AbortSignal): Promise<Uint8Array> {
    checkSource(entry, files);
    const key = buildKey(entry, files, this.#options.packages.version);
    const kept = await this.#cache.get(key);
    if (kept !== null) return kept;
    await this.#cache.put(key, await compile(entry, files, this.#options, signal));
    const reopened = await this.#cache.get(key);
    if (reopened === null) throw new WasmError('CACHE_UNUSABLE', 'a module that was just written does not open');
    return reopened;
  }
}
