export { type AuditFact, type AuditMismatch, type AuditRecord, auditFile, parseAudit } from './audit.ts';
export { type BlockTimes, blocksFile, completeQuads, parseBlocks } from './blocks.ts';
export { type BuildFact, buildFile, parseBuild } from './build.ts';
export {
  attemptOf,
  type BuildTask,
  buildTasks,
  deriveRun,
  type PlaceContext,
  type Run,
} from './context.ts';
export { attemptFile, manifestsFile, planFile, secretFile, selectionFile, selectionReceiptOf } from './derived.ts';
export { EVIDENCE_ERRORS, EvidenceError, type EvidenceErrorCode } from './errors.ts';
export {
  expectedLaunches,
  type HostFacts,
  type LaunchRecord,
  launchFile,
  moduleOf,
  parseLaunch,
  plainFacts,
} from './launches.ts';
export { EVIDENCE_MAX_BYTES, EVIDENCE_MAX_ENTRIES, ROOT_MAX_BYTES } from './limits.ts';
export { logFile, parseLog, type RunLog, STAGES, type Stage } from './log.ts';
export { JSON_MEDIA_TYPE, JSON_NAMES, type JsonName, OUTPUT_MEDIA_TYPE, outputName } from './names.ts';
export { readCanonical } from './read.ts';
export { parseReference, referenceFile, type SequenceGrades } from './reference.ts';
export { type EvidenceFile, evidenceRoot, parseEvidenceRoot, type RootEntry } from './root.ts';
export { type GradedSequence, gradedSequences, isConsistent } from './sample.ts';
export { parseCalibration, quadTokens, type Schedule, scheduleFile, scheduleOf, sequenceOf } from './schedule.ts';
export { type FileRule, filesOf } from './stages.ts';
export {
  type HalfTokens,
  parseTrajectory,
  sameTokens,
  type Tokens,
  type Trajectory,
  trajectoryFile,
} from './trajectory.ts';
