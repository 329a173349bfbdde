import { ObjectReader } from '../fields/index.ts';
import { canonicalDigest, type JsonObject } from '../identity/index.ts';
import { DOMAIN, ENGINE_RELEASE_POLICY, EVALUATION_STACK_POLICY } from './constants.ts';
import {
  type ContributionRef,
  type IntegratedContributionRef,
  parseContributionRef,
  parseIntegratedRef,
} from './contribution.ts';
import { ManifestError } from './errors.ts';

interface ManifestFields<E extends ContributionRef> {
  readonly schema_version: 1;
  readonly runtime_digest: string;
  readonly base_engine_digest: string;
  readonly catalog_digest: string;
  /** The complete catalog; its inner structure is the catalog's matter (`parseCatalogSnapshot`). */
  readonly catalog_snapshot: JsonObject;
  /** By target id. */
  readonly entries: Readonly<Record<string, E>>;
}

/** The complete incumbent of one arena (`protocol.md` section 4). */
export interface EvaluationStackManifest extends ManifestFields<ContributionRef> {
  readonly type: 'evaluation_stack';
  readonly arena_digest: string;
  readonly stack_policy_version: typeof EVALUATION_STACK_POLICY;
}

/** A product's identity, independent of any chain; reviewed contributions only. */
export interface EngineReleaseManifest extends ManifestFields<IntegratedContributionRef> {
  readonly type: 'engine_release';
  readonly stack_policy_version: typeof ENGINE_RELEASE_POLICY;
}

export type StackManifest = EvaluationStackManifest | EngineReleaseManifest;

const KEYS = [
  'type',
  'schema_version',
  'stack_policy_version',
  'runtime_digest',
  'base_engine_digest',
  'catalog_digest',
  'catalog_snapshot',
  'entries',
];
const EVALUATION_KEYS = [...KEYS, 'arena_digest'];

/**
 * Parses a closed EvaluationStackManifest. Targets, displacement and requirements need the context
 * ({@link validateManifest}) and the catalog (`TargetCatalog.validateActive`).
 * @throws FieldError, ManifestError
 */
export function parseEvaluationStack(value: unknown, at = 'manifest'): EvaluationStackManifest {
  const reader = new ObjectReader(value, at, EVALUATION_KEYS);
  return {
    type: reader.literal('type', 'evaluation_stack'),
    stack_policy_version: reader.literal('stack_policy_version', EVALUATION_STACK_POLICY),
    arena_digest: reader.digest('arena_digest'),
    ...readManifest(reader, parseContributionRef),
  };
}

/**
 * Parses a closed EngineReleaseManifest.
 * @throws FieldError, ManifestError
 */
export function parseEngineRelease(value: unknown, at = 'manifest'): EngineReleaseManifest {
  const reader = new ObjectReader(value, at, KEYS);
  return {
    type: reader.literal('type', 'engine_release'),
    stack_policy_version: reader.literal('stack_policy_version', ENGINE_RELEASE_POLICY),
    ...readManifest(reader, parseIntegratedRef),
  };
}

/** The stack digest: which contributions, under which catalog, runtime and base engine. */
export function stackDigest(manifest: StackManifest): string {
  return canonicalDigest(manifest.type === 'evaluation_stack' ? DOMAIN.evaluationStack : DOMAIN.releaseStack, manifest);
}

/** The active contribution of a target; ids such as `constructor` are only ids. */
export function entryOf<E extends ContributionRef>(
  manifest: { readonly entries: Readonly<Record<string, E>> },
  targetId: string,
): E | undefined {
  return Object.hasOwn(manifest.entries, targetId) ? manifest.entries[targetId] : undefined;
}

/** The same manifest with other entries; keys follow the entries' target ids. */
export function withEntries(
  manifest: EvaluationStackManifest,
  entries: Iterable<ContributionRef>,
): EvaluationStackManifest {
  return { ...manifest, entries: Object.fromEntries(Array.from(entries, (entry) => [entry.target_id, entry])) };
}

function readManifest<E extends ContributionRef>(
  reader: ObjectReader,
  parseEntry: (value: unknown, at: string) => E,
): ManifestFields<E> {
  const snapshot = reader.object('catalog_snapshot');
  if (Object.keys(snapshot).length === 0) {
    throw new ManifestError('MANIFEST_CATALOG_EMPTY', undefined, { field: reader.at('catalog_snapshot') });
  }
  const catalogDigest = reader.digest('catalog_digest');
  if (canonicalDigest(DOMAIN.catalog, snapshot) !== catalogDigest) {
    throw new ManifestError('MANIFEST_CATALOG_DIGEST', undefined, { field: reader.at('catalog_digest') });
  }
  const entries = Object.entries(reader.object('entries')).map(([key, entry]) => {
    const at = `${reader.at('entries')}.${key.slice(0, 80)}`;
    const ref = parseEntry(entry, at);
    if (ref.target_id !== key) throw new ManifestError('MANIFEST_ENTRY_KEY', undefined, { field: at });
    return [key, ref] as const;
  });
  return {
    schema_version: reader.literal('schema_version', 1),
    runtime_digest: reader.digest('runtime_digest'),
    base_engine_digest: reader.digest('base_engine_digest'),
    catalog_digest: catalogDigest,
    catalog_snapshot: snapshot as JsonObject,
    entries: Object.fromEntries(entries),
  };
}
