export { defaultCatalog, wasmArenaCatalog } from './arenas.ts';
export { buildCatalog, knownFeatures } from './build.ts';
export { type CatalogTarget, TargetCatalog } from './catalog.ts';
export type { SlotContract } from './contract.ts';
export { CATALOG_ERRORS, CatalogError, type CatalogErrorCode } from './errors.ts';
export { CATALOG_PROFILES, parseCatalogSnapshot } from './snapshot.ts';
