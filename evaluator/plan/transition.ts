import type { TargetCatalog } from '../catalog/index.ts';
import { canonicallyEqual, compareCodePoints } from '../identity/index.ts';
import {
  type ContributionRef,
  type EvaluationStackContext,
  type EvaluationStackManifest,
  entryOf,
  selectedDeltaDigest,
  validateManifest,
  withEntries,
} from '../manifest/index.ts';
import { PlanError } from './errors.ts';

/** What exactly one target's change does to a stack (`protocol.md` section 6). */
export interface StackTransition {
  readonly target_id: string;
  readonly target_spec_digest: string;
  readonly replacement: ContributionRef;
  /** The same target's contribution before, or null. */
  readonly prior: ContributionRef | null;
  /** Other targets' contributions that go, sorted by target id. */
  readonly displaced: readonly ContributionRef[];
}

/** A transition with the stacks on both sides, before anything is materialized. */
export interface PlannedTransition {
  readonly incumbent: EvaluationStackManifest;
  readonly candidate: EvaluationStackManifest;
  readonly transition: StackTransition;
  /** Active targets of the candidate in execution order. */
  readonly executionOrder: readonly string[];
}

/**
 * Derives the candidate stack: the incumbent with exactly one target changed, never as the proposal says but as the
 * catalog does (`protocol.md` section 6).
 * @throws ManifestError CONTEXT_*, CatalogError ACTIVE_*, PlanError PLAN_*
 */
export function planTransition(
  incumbent: EvaluationStackManifest,
  replacement: ContributionRef,
  context: EvaluationStackContext,
  catalog: TargetCatalog,
): PlannedTransition {
  if (context.catalog_digest !== catalog.digest || !canonicallyEqual(context.catalog_snapshot, catalog.snapshot)) {
    throw new PlanError('PLAN_CATALOG', undefined, { field: 'context.catalog_snapshot' });
  }
  validateManifest(incumbent, context);
  catalog.validateActive(Object.keys(incumbent.entries));
  const id = replacement.target_id;
  const target = catalog.find(id);
  if (target === null) throw new PlanError('PLAN_UNKNOWN_TARGET', undefined, { field: 'replacement.target_id' });
  if (target.target_spec_digest !== replacement.target_spec_digest) {
    throw new PlanError('PLAN_STALE_TARGET_SPEC', undefined, { field: 'replacement.target_spec_digest' });
  }
  const prior = entryOf(incumbent, id) ?? null;
  if (prior !== null && selectedDeltaDigest(prior) === selectedDeltaDigest(replacement)) {
    throw new PlanError('PLAN_NO_DELTA', undefined, { field: 'replacement.selected_payload_digest' });
  }
  const displaced = prior === null ? displacedBy(id, incumbent, catalog) : [];
  const leaving = new Set([id, ...displaced.map((ref) => ref.target_id)]);
  const staying = Object.values(incumbent.entries).filter((ref) => !leaving.has(ref.target_id));
  const candidate = withEntries(incumbent, [...staying, replacement]);
  const executionOrder = catalog.validateActive(Object.keys(candidate.entries));
  const transition = { target_id: id, target_spec_digest: target.target_spec_digest, replacement, prior, displaced };
  return { incumbent, candidate, transition, executionOrder };
}

function displacedBy(id: string, incumbent: EvaluationStackManifest, catalog: TargetCatalog): ContributionRef[] {
  const active = Object.values(incumbent.entries);
  const wider = active.find((ref) => catalog.displacementClosure(ref.target_id).includes(id));
  if (wider !== undefined) {
    throw new PlanError('PLAN_DECOMPOSES', `${wider.target_id} displaces ${id}`, { field: 'replacement.target_id' });
  }
  const closure = new Set(catalog.displacementClosure(id));
  return active.filter((ref) => closure.has(ref.target_id)).sort((a, b) => compareCodePoints(a.target_id, b.target_id));
}
