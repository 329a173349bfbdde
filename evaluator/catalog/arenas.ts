import { SGLANG_CATALOG, SGLANG_PROFILE } from '../../config/arena/sglang-catalog.ts';
import { WASM_CATALOG, WASM_PROFILE } from '../../config/arena/wasm-catalog.ts';
import { buildCatalog } from './build.ts';
import type { TargetCatalog } from './catalog.ts';

/** The catalog of the embedded WASM arena (`names.md`, WASM slots). */
export function wasmArenaCatalog(): TargetCatalog {
  return buildCatalog(WASM_CATALOG, WASM_PROFILE);
}

/** The default catalog, that of the GPU arenas (`protocol.md` section 5). */
export function defaultCatalog(): TargetCatalog {
  return buildCatalog(SGLANG_CATALOG, SGLANG_PROFILE);
}
