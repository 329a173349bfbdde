import type { Sandbox } from '../sandbox/index.ts';
import { type CompilerPackages, checkSource, compile, type SourceFile, WasmError } from '../wasm/index.ts';
import { buildKey, ModuleCache } from './cache.ts';

export interface BuilderOptions {
  /** Where compiled modules are kept; made if it is not there. */
  readonly cacheDir: string;
  readonly sandbox: Sandbox;
  readonly packages: CompilerPackages;
  /** Wall clock of one compilation, milliseconds; 20,000 unless told. */
  readonly deadlineMs?: number;
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
    const { sandbox, packages, deadlineMs } = this.#options;
    const deadline = deadlineMs === undefined ? {} : { deadlineMs };
    await this.#cache.put(key, await compile(entry, files, { sandbox, packages, ...deadline }, signal));
    const reopened = await this.#cache.get(key);
    if (reopened === null) throw new WasmError('CACHE_UNUSABLE', 'a module that was just written does not open');
    return reopened;
  }
}
