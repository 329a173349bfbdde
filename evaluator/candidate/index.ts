export {
  type MaterializedStack,
  materializeStack,
  type PlanningContext,
  type ProposalOrigin,
  planCandidate,
} from './plan.ts';
export type { CandidateRow, FieldRange, PlannedCandidate, SlotId } from './types.ts';
