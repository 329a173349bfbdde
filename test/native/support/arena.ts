import { fileURLToPath } from 'node:url';
import type { WasmEngineConfig } from '../../../config/arena/wasm-engine.ts';
import { openArena, type WasmArena } from '../../../native/engine/index.ts';

/** Compiled modules of all test files, kept between runs: opening verifies them, so a stale one is only rebuilt. */
export const CACHE_DIR = fileURLToPath(new URL('../../../.cache/wasm', import.meta.url));

/** Time for anything in these tests that should take seconds, on a busy machine. */
export const PATIENCE_MS = 120_000;

/** Wall clock of one compilation in tests, which often run beside others: the CPU limit stays the real one. */
export const BUILD_DEADLINE_MS = 60_000;

export function patience(): AbortSignal {
  return AbortSignal.timeout(PATIENCE_MS);
}

/** A model that a plain implementation computes in an instant; its shapes are odd on purpose. */
export const TINY: WasmEngineConfig = {
  shape: { dim: 18, layers: 2, heads: 3, hidden: 23, vocab: 37, context: 41 },
  seed: '18446744073709551557',
  rmsEps: '0.0000152587890625',
  prefillRows: 7,
  workload: { minPrompt: 2, maxPrompt: 9, minPositions: 12, maxPositions: 41, prewarmMs: 1 },
};

export function testArena(config?: WasmEngineConfig): Promise<WasmArena> {
  return openArena(config === undefined ? { cacheDir: CACHE_DIR } : { cacheDir: CACHE_DIR, config }, patience());
}

/** Numbers without a pattern that a kernel could lean on, the same in every run. */
export function noise(count: number, seed: number): Float32Array {
  let state = seed >>> 0;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}
