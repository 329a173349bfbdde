import { isObject, ObjectReader, TARGET_ID } from '../fields/index.ts';
import { canonicalDigest, canonicallyEqual, isDigest, type JsonObject } from '../identity/index.ts';
import { DOMAIN } from './constants.ts';
import { ManifestError } from './errors.ts';
import type { EngineReleaseManifest, EvaluationStackManifest, StackManifest } from './stack.ts';

interface ContextFields {
  readonly runtime_digest: string;
  readonly base_engine_digest: string;
  readonly catalog_snapshot: JsonObject;
  readonly catalog_digest: string;
  /** Every target of the snapshot with CD(target-spec, its row). */
  readonly target_spec_digests: Readonly<Record<string, string>>;
}

/** What a release manifest is validated against. */
export type ReleaseStackContext = ContextFields;

/** What an evaluation stack is validated against; a context has no digest of its own. */
export interface EvaluationStackContext extends ContextFields {
  readonly arena_digest: string;
}

const KEYS = ['runtime_digest', 'base_engine_digest', 'catalog_snapshot', 'catalog_digest', 'target_spec_digests'];

/**
 * Parses a closed EvaluationStackContext (`protocol.md` section 4).
 * @throws FieldError, ManifestError CONTEXT_CATALOG, CONTEXT_TARGET_SPECS
 */
export function parseEvaluationContext(value: unknown): EvaluationStackContext {
  const reader = new ObjectReader(value, 'context', [...KEYS, 'arena_digest']);
  return { arena_digest: reader.digest('arena_digest'), ...readContext(reader) };
}

/**
 * Parses a closed ReleaseStackContext.
 * @throws FieldError, ManifestError CONTEXT_CATALOG, CONTEXT_TARGET_SPECS
 */
export function parseReleaseContext(value: unknown): ReleaseStackContext {
  return readContext(new ObjectReader(value, 'context', KEYS));
}

/**
 * The target spec digests of a snapshot: CD(target-spec, row) for each row of its non-empty list of unique targets.
 * @throws ManifestError CONTEXT_CATALOG
 */
export function targetSpecDigests(snapshot: JsonObject): Readonly<Record<string, string>> {
  const rows = snapshot['targets'];
  if (!Array.isArray(rows) || rows.length === 0) throw catalogError('catalog_snapshot.targets');
  const digests = new Map<string, string>();
  for (const row of rows as unknown[]) {
    const id = isObject(row) ? row['target_id'] : undefined;
    if (typeof id !== 'string' || !TARGET_ID.test(id) || digests.has(id)) {
      throw catalogError('catalog_snapshot.targets.target_id');
    }
    digests.set(id, canonicalDigest(DOMAIN.targetSpec, row));
  }
  return Object.fromEntries(digests);
}

/** The context that a ruling stack stands for: planning against it changes entries and nothing else. */
export function contextOf(manifest: EvaluationStackManifest): EvaluationStackContext {
  const { runtime_digest, base_engine_digest, arena_digest, catalog_snapshot, catalog_digest } = manifest;
  const target_spec_digests = targetSpecDigests(catalog_snapshot);
  return { runtime_digest, base_engine_digest, arena_digest, catalog_snapshot, catalog_digest, target_spec_digests };
}

/**
 * Checks a manifest against a context: runtime, base engine, arena, catalog digest and canonical bytes, and every
 * entry's target spec. Displacement and requirements are the catalog's matter.
 * @throws ManifestError CONTEXT_*
 */
export function validateManifest(manifest: EvaluationStackManifest, context: EvaluationStackContext): void;
export function validateManifest(manifest: EngineReleaseManifest, context: ReleaseStackContext): void;
export function validateManifest(manifest: StackManifest, context: ReleaseStackContext | EvaluationStackContext): void {
  const same = (field: 'runtime_digest' | 'base_engine_digest' | 'catalog_digest') => {
    if (manifest[field] !== context[field]) throw new ManifestError('CONTEXT_MISMATCH', undefined, { field });
  };
  same('runtime_digest');
  same('base_engine_digest');
  same('catalog_digest');
  if (manifest.type === 'evaluation_stack') {
    const arena = 'arena_digest' in context ? context.arena_digest : null;
    if (manifest.arena_digest !== arena) {
      throw new ManifestError('CONTEXT_MISMATCH', undefined, { field: 'arena_digest' });
    }
  }
  if (!canonicallyEqual(manifest.catalog_snapshot, context.catalog_snapshot)) {
    throw new ManifestError('CONTEXT_MISMATCH', undefined, { field: 'catalog_snapshot' });
  }
  for (const [target, entry] of Object.entries(manifest.entries)) {
    const field = `entries.${target}`;
    if (!Object.hasOwn(context.target_spec_digests, target)) {
      throw new ManifestError('CONTEXT_UNKNOWN_TARGET', undefined, { field });
    }
    if (context.target_spec_digests[target] !== entry.target_spec_digest) {
      throw new ManifestError('CONTEXT_STALE_TARGET_SPEC', undefined, { field });
    }
  }
}

function readContext(reader: ObjectReader): ContextFields {
  const snapshot = reader.object('catalog_snapshot') as JsonObject;
  const catalogDigest = reader.digest('catalog_digest');
  if (canonicalDigest(DOMAIN.catalog, snapshot) !== catalogDigest) throw catalogError('context.catalog_digest');
  const complete = targetSpecDigests(snapshot);
  const given = reader.object('target_spec_digests');
  const mismatch = Object.keys(given).find((id) => !isDigest(given[id]) || given[id] !== complete[id]);
  if (mismatch !== undefined || Object.keys(given).length !== Object.keys(complete).length) {
    throw new ManifestError('CONTEXT_TARGET_SPECS', undefined, { field: 'context.target_spec_digests' });
  }
  return {
    runtime_digest: reader.digest('runtime_digest'),
    base_engine_digest: reader.digest('base_engine_digest'),
    catalog_snapshot: snapshot,
    catalog_digest: catalogDigest,
    target_spec_digests: complete,
  };
}

function catalogError(field: string): ManifestError {
  return new ManifestError('CONTEXT_CATALOG', undefined, { field });
}
