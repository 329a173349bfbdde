import type { CatalogProfile } from '../../config/arena/catalog-types.ts';
import { SGLANG_PROFILE } from '../../config/arena/sglang-catalog.ts';
import { WASM_PROFILE } from '../../config/arena/wasm-catalog.ts';
import { isObject, ObjectReader } from '../fields/index.ts';
import { canonicalDigest, canonicalJson } from '../identity/index.ts';
import { buildCatalog } from './build.ts';
import type { TargetCatalog } from './catalog.ts';
import { CATALOG_POLICY, DOMAIN } from './constants.ts';
import { CatalogError } from './errors.ts';

const KEYS = [
  'schema_version',
  'policy_version',
  'artifact_provider_registry',
  'artifact_provider_registry_digest',
  'targets',
  'composition_rules',
];

/** The profiles of the arenas this node supports. */
export const CATALOG_PROFILES: readonly CatalogProfile[] = [WASM_PROFILE, SGLANG_PROFILE];

/**
 * Parses a catalog snapshot strictly: it must be, byte for byte in canonical form, the snapshot that a catalog built
 * from its own targets and rules has. Nothing is sorted, normalised or filled in.
 * @param profiles the known provider registries; the snapshot's must be one of them
 * @throws FieldError, CatalogError CATALOG_SNAPSHOT, CATALOG_UNKNOWN_PROFILE and those of `buildCatalog`
 */
export function parseCatalogSnapshot(
  value: unknown,
  profiles: readonly CatalogProfile[] = CATALOG_PROFILES,
): TargetCatalog {
  const reader = new ObjectReader(value, 'catalog_snapshot', KEYS);
  reader.literal('schema_version', 1);
  reader.literal('policy_version', CATALOG_POLICY);
  const registry = reader.digest('artifact_provider_registry_digest');
  const profile = profiles.find(
    (row) => canonicalDigest(DOMAIN.providers, row.artifact_provider_registry) === registry,
  );
  if (profile === undefined) {
    throw new CatalogError('CATALOG_UNKNOWN_PROFILE', undefined, {
      field: reader.at('artifact_provider_registry_digest'),
    });
  }
  const targets = reader.array('targets').map(definitionOf);
  const catalog = buildCatalog({ targets, composition_rules: reader.array('composition_rules') }, profile);
  if (canonicalJson(catalog.snapshot) !== canonicalJson(value)) {
    throw new CatalogError('CATALOG_SNAPSHOT', undefined, { field: 'catalog_snapshot' });
  }
  return catalog;
}

/** A row without what derives from it; the comparison of the whole snapshot proves that it was right. */
function definitionOf(row: unknown): unknown {
  if (!isObject(row)) return row;
  const { contract_digest: _contract, member_contract_digests: _members, ...definition } = row;
  return { contract_ref: null, atomic_semantics_id: null, ...definition };
}
