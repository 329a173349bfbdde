export { attributionDigest } from '../manifest/index.ts';
export { type Arena, arenaDigest, laneSlotDigest, parseArena } from './arena.ts';
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
  orientation,
  type PlanObject,
  planDigest,
  planObject,
  sideOf,
} from './place.ts';
export { type MeasurementConsensus, openRules, type RuleObjects, type Rules } from './rules.ts';
export { parseRuntime, type Runtime, runtimeDigest } from './runtime.ts';
