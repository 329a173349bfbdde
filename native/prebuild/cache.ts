import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalDigest, sha256Hex } from '../../evaluator/identity/index.ts';
import { COMPILER_FLAGS, type SourceFile, WasmError } from '../wasm/index.ts';
import { MODULE_MAX_BYTES } from '../wasm/limits.ts';

const SEAL_BYTES = 32;
const READ_ONLY = 0o444;
/** Modules kept in one directory; miners decide how many are built, so the oldest give way. */
export const CACHE_MAX_FILES = 2048;

/** What a compiled module is a function of: names one in the cache. */
export function buildKey(entry: string, files: readonly SourceFile[], compilerVersion: string): string {
  return canonicalDigest('cacheon.wasm.build.v1', {
    schema_version: 1,
    compiler: compilerVersion,
    flags: COMPILER_FLAGS,
    entry,
    files: files.map(({ path, data }) => ({ path, sha256: sha256Hex(data), size: data.length })),
  });
}

/** Binds the module to the key, so that a sealed file under another name does not open. */
function seal(key: string, wasm: Uint8Array): Buffer {
  return createHash('sha256').update(key).update(wasm).digest();
}

/**
 * Compiled modules in a directory, one read-only file each: seal, then the module. A file is complete under its name
 * or not there at all, and its seal is recomputed at every opening; a damaged one counts as absent.
 */
export class ModuleCache {
  readonly #directory: string;
  readonly #maxFiles: number;

  constructor(directory: string, maxFiles: number = CACHE_MAX_FILES) {
    this.#directory = directory;
    this.#maxFiles = maxFiles;
  }

  /** The module of the key, or null. @throws WasmError CACHE_UNUSABLE */
  async get(key: string): Promise<Uint8Array | null> {
    const path = this.#path(key);
    try {
      if ((await stat(path)).size > SEAL_BYTES + MODULE_MAX_BYTES) return null;
      const bytes = await readFile(path);
      const wasm = bytes.subarray(SEAL_BYTES);
      return seal(key, wasm).equals(bytes.subarray(0, SEAL_BYTES)) ? wasm : null;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw new WasmError('CACHE_UNUSABLE', undefined, { cause });
    }
  }

  /** Publishes a module: written and synced under another name, then renamed over what may be there. */
  async put(key: string, wasm: Uint8Array): Promise<void> {
    const temporary = join(this.#directory, `.${key}.${randomUUID()}`);
    try {
      await mkdir(this.#directory, { recursive: true });
      const file = await open(temporary, 'wx', READ_ONLY);
      try {
        await file.writeFile(Buffer.concat([seal(key, wasm), wasm]));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, this.#path(key));
      await this.#prune();
    } catch (cause) {
      // Whatever was written is only in the way; what went wrong is told below.
      await rm(temporary, { force: true }).catch(() => {});
      throw new WasmError('CACHE_UNUSABLE', undefined, { cause });
    }
  }

  /** Removes the oldest files beyond the bound, those of interrupted writes included. */
  async #prune(): Promise<void> {
    const names = await readdir(this.#directory);
    if (names.length <= this.#maxFiles) return;
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#directory, name);
        // Another process may have removed it meanwhile.
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
        return { path, mtimeMs };
      }),
    );
    files.sort((a, b) => a.mtimeMs - b.mtimeMs);
    for (const { path } of files.slice(0, names.length - this.#maxFiles)) await rm(path, { force: true });
  }

  #path(key: string): string {
    return join(this.#directory, `${key}.sealed`);
  }
}
