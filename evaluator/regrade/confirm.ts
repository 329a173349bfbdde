import type { GradedSequence, SequenceGrades } from '../evidence/index.ts';
import { tokensHold } from './reference.ts';
import { invalid } from './regrade.ts';
import type { RegradeOutcome } from './types.ts';

/** Runs T: a lane without modules that grades the sequences teacher-forced. */
export type GradeTrajectory = (
  sequences: readonly GradedSequence[],
  signal: AbortSignal,
) => Promise<readonly SequenceGrades[]>;

/**
 * Runs T again for a result that has reference grades. If our own grades give the other answer about its tokens the
 * result is INVALID. Only the answer is compared, not the logits: it decides, and it is the same on every host.
 * @throws whatever the lane throws: a wait, never a verdict
 */
export async function confirmTrajectory(
  outcome: RegradeOutcome,
  margin: string,
  gradeTrajectory: GradeTrajectory,
  signal: AbortSignal,
): Promise<RegradeOutcome> {
  if (outcome.status !== 'graded' || outcome.trajectory === null) return outcome;
  const { sequences, grades } = outcome.trajectory;
  const own = await gradeTrajectory(sequences, signal);
  const agrees = tokensHold(sequences, own, margin) === tokensHold(sequences, grades, margin);
  return agrees ? outcome : invalid('REFERENCE', 'the pristine reference says otherwise about the tokens');
}
