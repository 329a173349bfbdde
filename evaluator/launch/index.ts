export { attributionDigest } from '../manifest/index.ts';
export { laneSlotDigest, peerOrientation, residentControlDigest } from '../settle/index.ts';
export { type Arena, arenaDigest, parseArena } from './arena.ts';
export { defaultAuditPolicy, defaultEvaluation, type ModelShape } from './defaults.ts';
export { LAUNCH_ERRORS, LaunchError, type LaunchErrorCode } from './errors.ts';
export { type Evaluation, evaluationDigest, parseEvaluation } from './evaluation.ts';
export {
  type LaunchIdentity,
  type LaunchRole,
  launchDigest,
  nativePublicationDigest,
  type PublishedModule,
  promptsDigest,
  type SeamBinding,
} from './identity.ts';
export {
  type Attempt,
  attemptDigest,
  authorityDigest,
  laneSlots,
  type PlanObject,
  planDigest,
  planObject,
  sideOf,
} from './place.ts';
export { type MeasurementConsensus, openRules, type RuleObjects, type Rules } from './rules.ts';
export { parseRuntime, type Runtime, runtimeDigest } from './runtime.ts';
