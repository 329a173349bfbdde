import { join } from 'node:path';
import { WASM_ENGINE, type WasmEngineConfig } from '../../config/arena/wasm-engine.ts';
import type { SlotId } from '../lane/types.ts';
import { Builder, type BuilderOptions } from '../prebuild/index.ts';
import { detectSandbox, type Programs, type Sandbox, writePrograms } from '../sandbox/index.ts';
import { type CompilerPackages, checkModule, compilerPackages, WasmError } from '../wasm/index.ts';
import { type EngineDigests, engineDigests, wasmRuntimeDigest } from './digests.ts';
import { ENGINE_ENTRY, engineFiles, SLOTS, STOCK, stockFiles } from './sources.ts';

/** One compilation of our own source, milliseconds: a loaded machine is no reason to refuse it. */
const OWN_SOURCE_DEADLINE_MS = 120_000;

/** The embedded arena, ready to open lanes. */
export interface WasmArena extends EngineDigests {
  readonly config: WasmEngineConfig;
  /** Compiled engine and stock slot modules. */
  readonly engine: Uint8Array;
  readonly stock: Readonly<Record<SlotId, Uint8Array>>;
  /** Name and version of the compiler, and the digest of the runtime it is part of. */
  readonly compiler: string;
  readonly runtimeDigest: string;
  /** How processes are kept apart on this machine, found once. */
  readonly sandbox: Sandbox;
  readonly packages: CompilerPackages;
  /** What runs in lanes and in the compiler's processes. */
  readonly programs: Programs;
}

export interface ArenaOptions {
  /** Directory of compiled modules, shared with the prebuild; made if it is not there. */
  readonly cacheDir: string;
  readonly config?: WasmEngineConfig;
  /** Detected unless given. */
  readonly sandbox?: Sandbox;
}

/**
 * Opens the embedded arena: compiles engine and stock slots on first use (about ten seconds), reads them from the
 * cache afterwards. Their digests are the arena's identity; the caller compares them with what is pinned.
 * @throws WasmError COMPILER_UNAVAILABLE, COMPILE_ABORTED or CACHE_UNUSABLE
 */
export async function openArena(options: ArenaOptions, signal: AbortSignal): Promise<WasmArena> {
  const config = options.config ?? WASM_ENGINE;
  const sandbox = options.sandbox ?? (await detectSandbox(signal));
  const packages = compilerPackages();
  const programs = await writePrograms(options.cacheDir).catch((cause) => {
    throw new WasmError('CACHE_UNUSABLE', undefined, { cause });
  });
  const builder = new Builder({
    cacheDir: join(options.cacheDir, 'engine'),
    sandbox,
    packages,
    programs,
    deadlineMs: OWN_SOURCE_DEADLINE_MS,
  });
  const engine = await builder.build(ENGINE_ENTRY, engineFiles(), signal);
  const sources = stockFiles();
  const modules: [SlotId, Uint8Array][] = [];
  for (const slot of SLOTS) {
    const { file, entry } = STOCK[slot];
    const wasm = await builder.build(
      file,
      sources.filter(({ path }) => path === file),
      signal,
    );
    checkModule(wasm, { slot, entry, prepare: null });
    modules.push([slot, wasm]);
  }
  const stock = Object.fromEntries(modules) as Record<SlotId, Uint8Array>;
  return {
    ...engineDigests(engine, stock, packages.version, config),
    config,
    engine,
    stock,
    compiler: packages.version,
    runtimeDigest: wasmRuntimeDigest(packages.version),
    sandbox,
    packages,
    programs,
  };
}

/** Options of `createPrebuild` for an arena; candidates have a directory of their own in the arena's cache. */
export function prebuildOptions(arena: WasmArena, cacheDir: string): BuilderOptions {
  return {
    cacheDir: join(cacheDir, 'rows'),
    sandbox: arena.sandbox,
    packages: arena.packages,
    programs: arena.programs,
  };
}
