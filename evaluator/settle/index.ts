export { type AuditControl, type AuditPolicy, auditControlDigest, parseAuditPolicy } from './audit.ts';
export {
  compareFinalized,
  finalizedOrder,
  formCandidate,
  formLegacyCandidate,
  type SettlementCandidate,
} from './candidate.ts';
export { type CohortSettlement, type RipeSettlement, requireMarginal, settleCohort } from './cohort.ts';
export { LEGACY_SPEED_POLICY_DIGEST, RESIDENT_SPEED_POLICY_DIGEST } from './constants.ts';
export { SETTLEMENT_ERRORS, SettlementError, type SettlementErrorCode } from './errors.ts';
export {
  eventDigest,
  type JournalHead,
  parseEvent,
  replayEvents,
  type SettlementEvent,
  type SettlementEventType,
  type SettlementReason,
} from './event.ts';
export {
  attemptRef,
  type EvidenceSide,
  type SettlementEvidence,
  settlementEvidence,
  settlementEvidenceDigest,
} from './evidence.ts';
export {
  checkLedger,
  claimsDigest,
  genesisLedger,
  type Ledger,
  parseLedger,
  restackedLedger,
  sortedClaims,
} from './ledger.ts';
export {
  isResidentPolicy,
  type LaneOrientation,
  laneSlotDigest,
  parseOrientation,
  peerOrientation,
  type ResidentPolicies,
  residentControlDigest,
} from './orientation.ts';
export {
  planOrderedSettlement,
  planSettlement,
  type SettlementBase,
  type SettlementPlan,
  type StackUpdate,
  settlementPlanDigest,
} from './plan.ts';
export {
  INDEPENDENT,
  parseQualification,
  type Qualification,
  qualificationDigest,
  reproductionIdentity,
  reproductionIdentityDigest,
  speedPolicyOf,
} from './qualification.ts';
