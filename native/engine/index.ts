export { type ArenaOptions, openArena, prebuildOptions, type WasmArena } from './arena.ts';
export { type EngineDigests, wasmRuntimeDigest } from './digests.ts';
export { ENGINE_ENTRY, engineFiles, SLOTS, STOCK, stockFiles } from './sources.ts';
