import { CacheonError } from '../../../config/errors.ts';
import { type PlannedCandidate, planCandidate } from '../../../evaluator/candidate/index.ts';
import type { TargetCatalog } from '../../../evaluator/catalog/index.ts';
import type { TreeFile } from '../../../evaluator/identity/index.ts';
import { contextOf, type EvaluationStackManifest } from '../../../evaluator/manifest/index.ts';
import type { ReservationRef } from '../../../evaluator/peer/index.ts';
import type { Bundles, StackSource } from '../bundles.ts';

/** What came of a proposal's bundle before anything of it runs. */
export type Planned =
  | { readonly kind: 'planned'; readonly planned: PlannedCandidate; readonly files: readonly TreeFile[] }
  /** A rule refuses the bundle's files: FAIL bundle_refused. */
  | { readonly kind: 'refused'; readonly error: CacheonError; readonly files: readonly TreeFile[] };

export interface PlanDependencies {
  readonly bundles: Bundles;
  readonly catalog: TargetCatalog;
}

/**
 * Gets a reservation's bundle and plans it against the frozen incumbent.
 * @throws IntakeError or a peer's error if the bytes cannot be had now; TreeError if the incumbent's cannot
 */
export async function planReservation(
  reservation: ReservationRef,
  incumbent: EvaluationStackManifest,
  dependencies: PlanDependencies,
  signal: AbortSignal,
): Promise<Planned> {
  const { bundles } = dependencies;
  const source = await bundles.openStack(incumbent, signal);
  const { content_hash, url } = reservation;
  const files = await bundles.acquire(content_hash, { url, first: 'miner' }, signal);
  return planFiles(reservation, files, { manifest: incumbent, source }, dependencies);
}

/** As {@link planReservation}, with the bundle's and the incumbent's files already opened. */
export function planFiles(
  reservation: ReservationRef,
  files: readonly TreeFile[],
  incumbent: { readonly manifest: EvaluationStackManifest; readonly source: StackSource },
  { catalog }: Pick<PlanDependencies, 'catalog'>,
): Planned {
  const { reservation_id, content_hash, hotkey } = reservation;
  const { manifest, source } = incumbent;
  const context = { incumbent: manifest, context: contextOf(manifest), catalog, source };
  try {
    const planned = planCandidate(files, { reservation_id, content_hash, hotkey }, context);
    return { kind: 'planned', planned, files };
  } catch (error) {
    if (error instanceof CacheonError && error.fault === 'candidate') return { kind: 'refused', error, files };
    throw error;
  }
}
