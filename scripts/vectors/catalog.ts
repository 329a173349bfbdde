import type { CatalogProfile } from '../../config/arena/catalog-types.ts';
import { SGLANG_PROFILE } from '../../config/arena/sglang-catalog.ts';
import {
  buildCatalog,
  defaultCatalog,
  parseCatalogSnapshot,
  type TargetCatalog,
} from '../../evaluator/catalog/index.ts';
import { sortedSet } from '../../evaluator/fields/index.ts';
import type { VectorFamily } from './family.ts';

export const family: VectorFamily = {
  family: 'catalog',
  run(input, shared) {
    const profile: CatalogProfile = {
      artifact_provider_registry: shared['artifact_provider_registry'] as CatalogProfile['artifact_provider_registry'],
      features: SGLANG_PROFILE.features,
    };
    if (input['op'] === 'active') {
      const named = input['catalog'];
      const catalog = named === 'default' ? defaultCatalog() : buildCatalog(named, profile);
      const ids = input['target_ids'] as string[];
      const ordered = catalog.validateActive(ids);
      return { sorted: sortedSet(ids), ordered };
    }
    const { targets, composition_rules = [] } = input;
    return describe(buildCatalog({ targets, composition_rules }, profile));
  },
};

/** Everything a vector may expect of a catalog that was built; its snapshot is read back strictly. */
function describe(catalog: TargetCatalog): Record<string, unknown> {
  const reread = parseCatalogSnapshot(catalog.snapshot);
  const each = (of: (id: string) => unknown) => Object.fromEntries(catalog.targetIds.map((id) => [id, of(id)]));
  return {
    digest: reread.digest,
    target_order: catalog.targetIds,
    target_spec_digests: catalog.targetSpecDigests(),
    contract_digests: each((id) => catalog.find(id)?.contract_digest),
    displacement_closure: each((id) => catalog.displacementClosure(id)),
    requires_closure: each((id) => catalog.requiresClosure(id)),
    snapshot: catalog.snapshot,
  };
}
