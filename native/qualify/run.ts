import type { PlannedCandidate } from '../../evaluator/candidate/types.ts';
import {
  type AuditRecord,
  type BuildFact,
  type GradedSequence,
  type HostFacts,
  type PlaceContext,
  plainFacts,
  type Run,
  type Schedule,
  type SequenceGrades,
  type Stage,
  type Trajectory,
} from '../../evaluator/evidence/index.ts';
import { laneSlots, sideOf } from '../../evaluator/launch/index.ts';
import type { Lane, SlotModule } from '../lane/types.ts';
import type { Actor, Attempt } from './attempt.ts';
import type { QualifyDependencies } from './types.ts';

/** One measurement in progress: what is fixed, and the record so far. */
export interface Measurement {
  readonly context: PlaceContext;
  readonly run: Run;
  readonly planned: PlannedCandidate;
  readonly attempt: Attempt;
  readonly dependencies: QualifyDependencies;
  readonly record: RunRecord;
}

/** What has been found out; each stage adds its part when it has all of it, or as far as it got. */
export interface RunRecord {
  stage: Stage;
  build: BuildFact[];
  audit: { readonly record: AuditRecord; readonly outputs: ReadonlyMap<number, Uint8Array> } | null;
  schedule: Schedule | null;
  /** Nanoseconds by pair, quad and block. */
  times: number[][][];
  trajectory: Trajectory | null;
  graded: readonly GradedSequence[] | null;
  grades: readonly SequenceGrades[] | null;
  /** Host facts of every launch whose stage is complete, in the order of their start. */
  facts: HostFacts[];
}

export function emptyRecord(): RunRecord {
  return {
    stage: 'build',
    build: [],
    audit: null,
    schedule: null,
    times: [],
    trajectory: null,
    graded: null,
    grades: null,
    facts: [],
  };
}

/** Modules of a side, compiled. */
export interface SideModules {
  readonly baseline: readonly SlotModule[];
  readonly candidate: readonly SlotModule[];
}

/**
 * Runs `work` with a fresh lane and closes it, whatever happens.
 * @param actor whose modules the lane has
 */
export async function withLane<T>(
  measurement: Measurement,
  actor: Actor,
  modules: readonly SlotModule[],
  work: (lane: Lane, facts: HostFacts) => Promise<T>,
): Promise<T> {
  const { context, attempt, dependencies } = measurement;
  const slots = laneSlots(sideOf(context.place));
  const slotIndex = actor === 'candidate' ? slots.candidate : slots.baseline;
  const lane = await attempt.wait(actor, (signal) => dependencies.lanes.open({ slotIndex, modules }, signal));
  try {
    return await work(lane, plainFacts(lane.facts));
  } finally {
    await lane.close();
  }
}
