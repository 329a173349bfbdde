export { keptOutputs, proposedSlots } from './audit.ts';
export { confirmTrajectory, type GradeTrajectory } from './confirm.ts';
export { REGRADE_ERRORS, RegradeError, type RegradeErrorCode } from './errors.ts';
export { tokensHold } from './reference.ts';
export { regrade } from './regrade.ts';
export type { GradedTrajectory, RegradeInput, RegradeOutcome, ReservationFacts } from './types.ts';
export { wantedBlobs } from './wanted.ts';
