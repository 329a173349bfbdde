import { firstWrongToken } from '../audit/index.ts';
import {
  type GradedSequence,
  gradedSequences,
  isConsistent,
  parseReference,
  parseTrajectory,
  type Run,
  type Schedule,
  type SequenceGrades,
  type Trajectory,
} from '../evidence/index.ts';
import { claim } from './errors.ts';
import type { EvidenceFiles } from './files.ts';
import type { GradedTrajectory } from './types.ts';

export interface SealedTrajectory {
  readonly trajectory: Trajectory;
  /** False if the same prompt gave different tokens: then there is nothing for T to grade. */
  readonly consistent: boolean;
}

export function checkTrajectory(run: Run, schedule: Schedule, files: EvidenceFiles): SealedTrajectory {
  const trajectory = claim('TRAJECTORY', () => parseTrajectory(files.json('trajectory.json'), run, schedule));
  return { trajectory, consistent: isConsistent(schedule, trajectory) };
}

/** Reads T's grades of the sequences that seed and trajectory name. */
export function readGrades(
  run: Run,
  schedule: Schedule,
  sealed: SealedTrajectory,
  files: EvidenceFiles,
): GradedTrajectory {
  const sequences = gradedSequences(run, schedule, sealed.trajectory);
  return { sequences, grades: claim('REFERENCE', () => parseReference(files.json('reference.json'), sequences)) };
}

/**
 * True if every graded token is the reference's best or within the margin.
 * @throws AuditError AUDIT_FACTS_INVALID if the grades contradict themselves
 */
export function tokensHold(
  sequences: readonly GradedSequence[],
  grades: readonly SequenceGrades[],
  margin: string,
): boolean {
  return sequences.every((row, i) => firstWrongToken(row.tokens, grades[i] ?? [], Number(margin)) === -1);
}
