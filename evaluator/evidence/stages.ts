import type { Verdict } from '../statement/index.ts';
import type { Stage } from './log.ts';
import type { JsonName } from './names.ts';

/** Files a result must have, and files it may have; outputs are named by the audit. */
export interface FileRule {
  readonly required: readonly JsonName[];
  readonly optional: readonly JsonName[];
}

const PLAN: readonly JsonName[] = ['attempt.json', 'secret.json', 'log.json'];
const PLANNED: readonly JsonName[] = [...PLAN, 'plan.json', 'manifests.json', 'selection.json'];
const BUILT: readonly JsonName[] = [...PLANNED, 'build.json'];
const AUDITED: readonly JsonName[] = [...BUILT, 'audit.json', 'launch.json'];
const TIMED: readonly JsonName[] = [...AUDITED, 'schedule.json', 'blocks.json'];
const SEALED: readonly JsonName[] = [...TIMED, 'trajectory.json'];
const GRADED: readonly JsonName[] = [...SEALED, 'reference.json'];

/** Stages in which a run of each reason ends; the others may end anywhere a candidate runs. */
const STAGE_OF_REASON: Readonly<Partial<Record<string, Stage>>> = {
  bundle_refused: 'plan',
  bytes_unavailable: 'plan',
  build_failed: 'build',
  audit_mismatch: 'audit',
  too_slow: 'timed',
  inconclusive: 'timed',
  reference_mismatch: 'reference',
};

/**
 * Which files a result has (`names.md`: a file is required if its stage was reached), or null if no run with this
 * verdict ends in this stage. A stage that a crash, a deadline or the host cut short leaves what it had so far.
 * @param consistent false if the sealed trajectory refutes itself, so that T has nothing to grade
 */
export function filesOf(verdict: Verdict, stage: Stage, consistent: boolean): FileRule | null {
  if (verdict.result === 'PASS') return stage === 'done' ? { required: GRADED, optional: [] } : null;
  const fixed = STAGE_OF_REASON[verdict.reason];
  if (fixed !== undefined && fixed !== stage) return null;
  const cut = fixed === undefined;
  switch (stage) {
    case 'plan':
      // A candidate does not run in this stage, so only the host can end it early.
      return verdict.result === 'NO_DECISION' || fixed !== undefined ? { required: PLAN, optional: [] } : null;
    case 'build':
      return cut ? { required: PLANNED, optional: ['build.json'] } : { required: BUILT, optional: [] };
    case 'audit':
      return cut ? { required: BUILT, optional: [] } : { required: AUDITED, optional: [] };
    case 'timed':
      return cut
        ? { required: AUDITED, optional: ['schedule.json', 'blocks.json'] }
        : { required: TIMED, optional: [] };
    case 'reference':
      if (cut) return verdict.result === 'NO_DECISION' ? { required: SEALED, optional: [] } : null;
      return { required: consistent ? GRADED : SEALED, optional: [] };
    case 'done':
      return null;
  }
}
