import { compareCodePoints } from '../identity/index.ts';
import { BundleError } from './errors.ts';
import type { Competition } from './manifest.ts';
import type { OpsRow } from './ops.ts';
import { printable } from './paths.ts';

/** What resolution needs of a target of the catalog (`protocol.md` section 5). */
export interface CatalogTarget {
  readonly target_id: string;
  readonly kind: 'slot' | 'atomic';
  readonly members: readonly string[];
  readonly allowed_features: readonly string[];
}

/** Features, derived from the bytes and never from claims (`bundle-format.md` section 9). Sorted. */
export function observedFeatures(rows: readonly OpsRow[]): string[] {
  const features = new Set(['entry']);
  const slots = new Set(rows.map((row) => row.slot));
  if (slots.size < rows.length || rows.some((row) => row.variant !== 'default')) features.add('variants');
  for (const row of rows) {
    if (row.prepare !== null) features.add('prepare');
    if (row.wasmSources.length > 0) features.add('wasm_sources');
    for (const key of row.extraKeys) features.add(`op_extra:${key}`);
  }
  return [...features].sort(compareCodePoints);
}

/** The one target whose member set the slots are. Unregistered work is refused, never read as something smaller. */
export function resolveTarget<T extends CatalogTarget>(
  rows: readonly OpsRow[],
  competition: Competition | null,
  targets: readonly T[],
): T {
  const slots = new Set(rows.map((row) => row.slot));
  const matches = (target: T): boolean =>
    target.members.length === slots.size && target.members.every((member) => slots.has(member));
  if (competition === null) {
    const target = targets.find(matches);
    if (target === undefined) throw new BundleError('TARGET_UNREGISTERED', undefined, { field: 'ops' });
    return target;
  }
  const named = targets.find((target) => target.target_id === competition.target);
  if (named === undefined) {
    throw new BundleError('TARGET_UNREGISTERED', 'not in the catalog', { field: 'competition.target' });
  }
  if (named.kind !== competition.mode) {
    throw new BundleError('TARGET_MISMATCH', `this target is of mode ${named.kind}`, { field: 'competition.mode' });
  }
  if (!matches(named)) throw new BundleError('TARGET_MISMATCH', undefined, { field: 'ops' });
  return named;
}

/** Refuses a feature that the target does not admit. */
export function checkFeatures(features: readonly string[], target: CatalogTarget): void {
  const refused = features.find((feature) => !target.allowed_features.includes(feature));
  if (refused !== undefined) {
    throw new BundleError('FEATURE_REFUSED', `${target.target_id} does not admit it`, { field: printable(refused) });
  }
}
