/** Digest domains of settlement (`protocol.md` section 2). */
export const DOMAIN = {
  reproductionIdentity: 'cacheon.settlement.reproduction-identity',
  qualification: 'cacheon.settlement.qualification',
  qualificationAudited: 'cacheon.settlement.qualification.audit-v1',
  qualificationResident: 'cacheon.settlement.qualification.resident-lane-v1',
  candidate: 'cacheon.settlement.candidate.v2',
  candidateAudited: 'cacheon.settlement.candidate.v3',
  candidateResident: 'cacheon.settlement.candidate.v4',
  evidence: 'cacheon.settlement.evidence',
  event: 'cacheon.settlement.event',
  plan: 'cacheon.settlement.plan',
  residentControl: 'cacheon.settlement.resident-lane-control.v1',
  auditControl: 'cacheon.eval.slot-audit-control.v1',
  laneSlot: 'cacheon.lane.slot.v1',
  attempt: 'cacheon.peer.attempt.v1',
  claims: 'cacheon.peer.claims.v1',
} as const;

/** Stands for a speed policy that a legacy qualification does not name. */
export const LEGACY_SPEED_POLICY_DIGEST = '35ae0b82a688459691f3e94ed7d01e77c2a41f7befc6b210d8f54c9fd06083ae';
/** The reference's resident speed policy; an orientation belongs to it as to the ruling consensus object's. */
export const RESIDENT_SPEED_POLICY_DIGEST = '0517e0d3049e1197c2190a570c6b1e583b09a201b154893a79590aab41ddd71d';
/** Stands for the audit evidence of a legacy qualification, so no audited one may carry it. */
export const LEGACY_AUDIT_EVIDENCE_DIGEST = 'f792bc73372892156e77094908be8ef9bd2ebe72888ca194a9aaf2f1babf3c5e';

/** Identifiers of settlement: hotkeys, targets, members. */
export const IDENTIFIER = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,255}$/;

/** Slots of one audited target. */
export const AUDIT_MAX_MEMBERS = 64;
/** Sampled calls of one audit. */
export const AUDIT_MAX_CALLS = 1_000_000_000;
/** Share of calls that are sampled, at most all. */
export const AUDIT_MAX_RATE_PPM = 1_000_000;
