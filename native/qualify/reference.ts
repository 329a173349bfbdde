import {
  gradedSequences,
  isConsistent,
  type Schedule,
  type SequenceGrades,
  type Trajectory,
} from '../../evaluator/evidence/index.ts';
import { tokensHold } from '../../evaluator/regrade/index.ts';
import { fail } from './attempt.ts';
import { GRADE_REQUEST_SEQUENCES } from './limits.ts';
import { type Measurement, withLane } from './run.ts';

/**
 * T: a pristine lane grades the sealed trajectory teacher-forced, after the candidate is gone.
 * @throws Ended reference_mismatch or infrastructure
 */
export async function gradeTrajectory(measurement: Measurement): Promise<void> {
  const { context, run, record, attempt } = measurement;
  record.stage = 'reference';
  const schedule = record.schedule as Schedule;
  const trajectory = record.trajectory as Trajectory;
  if (!isConsistent(schedule, trajectory)) {
    throw fail('reference_mismatch', 'the same prompt gave different tokens in different places');
  }
  const sequences = gradedSequences(run, schedule, trajectory);
  const grades: SequenceGrades[] = [];
  const facts = await withLane(measurement, 'host', [], async (lane, laneFacts) => {
    for (let at = 0; at < sequences.length; at += GRADE_REQUEST_SEQUENCES) {
      const request = sequences.slice(at, at + GRADE_REQUEST_SEQUENCES);
      grades.push(...(await attempt.wait('host', (signal) => lane.grade(request, signal))));
    }
    return laneFacts;
  });
  // Grades that contradict themselves are the host's own failure, so the check counts as its work.
  const { logit_margin } = context.rules.evaluation;
  const hold = await attempt.wait('host', async () => tokensHold(sequences, grades, logit_margin));
  record.graded = sequences;
  record.grades = grades;
  record.facts.push(facts);
  if (!hold) throw fail('reference_mismatch', 'a token is neither the best of the reference nor within the margin');
}
