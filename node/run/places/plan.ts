import { CacheonError } from '../../../config/errors.ts';
import { type PlannedCandidate, planCandidate } from '../../../evaluator/candidate/index.ts';
import type { TargetCatalog } from '../../../evaluator/catalog/index.ts';
import type { TreeFile } from '../../../evaluator/identity/index.ts';
import { contextOf, type EvaluationStackManifest } from '../../../evaluator/manifest/index.ts';
import type { ReservationRef } from '../../../evaluator/peer/index.ts';
import type { Bundles } from '../bundles.ts';

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
  await bundles.openStack(incumbent, signal);
  const files = await bundles.acquire(reservation.content_hash, reservation.url, signal);
  return planFiles(reservation, files, incumbent, dependencies);
}

/** As {@link planReservation}, with the bundle's and the incumbent's files already opened. */
export function planFiles(
  reservation: ReservationRef,
  files: readonly TreeFile[],
  incumbent: EvaluationStackManifest,
  { bundles, catalog }: PlanDependencies,
): Planned {
  const { reservation_id, content_hash, hotkey } = reservation;
  const context = { incumbent, context: contextOf(incumbent), catalog, source: (d: string) => bundles.opened(d) };
  try {
    const planned = planCandidate(files, { reservation_id, content_hash, hotkey }, context);
    return { kind: 'planned', planned, files };
  } catch (error) {
    if (error instanceof CacheonError && error.fault === 'candidate') return { kind: 'refused', error, files };
    throw error;
  }
}
