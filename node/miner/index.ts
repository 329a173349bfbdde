export { type BuiltRow, buildRows } from './build.ts';
export { type CheckedBundle, checkBundle, readBundle } from './check.ts';
export {
  type CommitContext,
  type Committed,
  commitUnderTimelock,
  isRegistered,
  type ProposalState,
  proposalState,
  type RevealTime,
} from './commitment.ts';
export { MINER_ERRORS, MinerError, type MinerErrorCode } from './errors.ts';
export { type Followed, type FollowRequest, followProposal } from './follow.ts';
export type { Standing, Step } from './story.ts';
