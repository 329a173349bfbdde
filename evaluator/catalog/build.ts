import type { CatalogProfile } from '../../config/arena/catalog-types.ts';
import { ObjectReader } from '../fields/index.ts';
import { TargetCatalog } from './catalog.ts';
import { CATALOG_MAX_TARGETS } from './constants.ts';
import { CatalogError } from './errors.ts';
import { readRule } from './rules.ts';
import { readTarget, type TargetSpec } from './targets.ts';

/**
 * Builds a catalog from its definition (`config/arena/catalog-types.ts` has the shape), checking all rules of
 * `protocol.md` section 5.
 * @param definition untrusted JSON or data of `config/arena`
 * @param profile the artifact providers and features this catalog may use
 * @throws FieldError, CatalogError
 */
export function buildCatalog(definition: unknown, profile: CatalogProfile): TargetCatalog {
  const reader = new ObjectReader(definition, 'catalog', ['targets'], ['composition_rules']);
  const rows = reader.array('targets');
  if (rows.length === 0 || rows.length > CATALOG_MAX_TARGETS) {
    throw new CatalogError('CATALOG_SIZE', undefined, { field: reader.at('targets') });
  }
  const features = knownFeatures(profile);
  const targets = new Map<string, TargetSpec>();
  rows.forEach((row, i) => {
    const target = readTarget(row, `${reader.at('targets')}[${i}]`, features);
    if (targets.has(target.target_id)) {
      throw new CatalogError('CATALOG_TARGET_REPEATED', undefined, { field: `${reader.at('targets')}[${i}]` });
    }
    targets.set(target.target_id, target);
  });
  const ruleRows = reader.has('composition_rules') ? reader.array('composition_rules') : [];
  const rules = ruleRows.map((row, i) => readRule(row, `${reader.at('composition_rules')}[${i}]`));
  return new TargetCatalog(targets, rules, profile);
}

/** The features that targets may allow: the profile's own and those its artifact providers require. */
export function knownFeatures(profile: CatalogProfile): ReadonlySet<string> {
  const provided = profile.artifact_provider_registry.providers.flatMap((row) => row.required_target_features);
  return new Set([...profile.features, ...provided]);
}
