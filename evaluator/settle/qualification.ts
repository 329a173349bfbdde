import { type Integer, isSortedSet, ObjectReader } from '../fields/index.ts';
import { canonicalDigest, IdentityError, parseSpeedup } from '../identity/index.ts';
import {
  type EvaluationStackManifest,
  entryOf,
  parseEvaluationStack,
  selectedDeltaDigest,
  stackDigest,
} from '../manifest/index.ts';
import { type AuditPolicy, auditControlDigest, parseAuditPolicy } from './audit.ts';
import { DOMAIN, IDENTIFIER, LEGACY_AUDIT_EVIDENCE_DIGEST, LEGACY_SPEED_POLICY_DIGEST } from './constants.ts';
import { SettlementError, type SettlementErrorCode } from './errors.ts';
import {
  isResidentPolicy,
  type LaneOrientation,
  parseOrientation,
  type ResidentPolicies,
  residentControlDigest,
} from './orientation.ts';

/** The seven digests that must differ between two passes. */
export const INDEPENDENT = [
  'qualification_authority_digest',
  'qualification_plan_digest',
  'qualification_attempt_digest',
  'qualification_report_digest',
  'selection_commitment_digest',
  'selection_secret_commitment_digest',
  'selection_evidence_digest',
] as const;

const DIGESTS = [
  ...INDEPENDENT,
  'arena_digest',
  'reservation_digest',
  'selected_delta_digest',
  'arm_digest',
  'incumbent_stack_digest',
  'incumbent_tree_digest',
  'candidate_stack_digest',
  'candidate_tree_digest',
] as const;

type DigestField = (typeof DIGESTS)[number];

/** One accepted pass in the form that its digest covers (`protocol.md` section 7). */
export interface Qualification extends Readonly<Record<DigestField, string>> {
  readonly lane: 'registered' | 'discovery';
  readonly finalized_block: Integer;
  readonly event_index: Integer;
  readonly event_subindex: Integer;
  /** The miner's hotkey. */
  readonly hotkey: string;
  readonly target_id: string;
  readonly members: readonly string[];
  /** Canonical decimal above 1. */
  readonly speedup: string;
  readonly incumbent_manifest: EvaluationStackManifest;
  /** Null in the discovery lane. */
  readonly candidate_manifest: EvaluationStackManifest | null;
  /** "" in the registered lane. */
  readonly proposal_digest: string;
  /** Left out by a legacy, unaudited pass. */
  readonly speed_evidence_policy_digest?: string;
  readonly audit_control_digest?: string;
  readonly audit_policy?: AuditPolicy;
  readonly audit_evidence_digest?: string;
  readonly resident_lane_orientation?: LaneOrientation;
}

const REQUIRED = [
  ...DIGESTS,
  'lane',
  'finalized_block',
  'event_index',
  'event_subindex',
  'hotkey',
  'target_id',
  'members',
  'speedup',
  'incumbent_manifest',
  'candidate_manifest',
  'proposal_digest',
];
const AUDIT = ['audit_control_digest', 'audit_policy', 'audit_evidence_digest'];
const OPTIONAL = ['speed_evidence_policy_digest', ...AUDIT, 'resident_lane_orientation'];

/**
 * Parses a qualification in one of its accepted shapes: base; with speed policy; that with audit, with orientation,
 * or with both.
 * @throws FieldError, ManifestError, SettlementError QUALIFICATION_*
 */
export function parseQualification(
  value: unknown,
  policies: ResidentPolicies = new Set(),
  at = 'qualification',
): Qualification {
  const reader = new ObjectReader(value, at, REQUIRED, OPTIONAL);
  const digests = Object.fromEntries(DIGESTS.map((key) => [key, reader.digest(key)])) as Record<DigestField, string>;
  const lane = reader.oneOf('lane', ['registered', 'discovery']);
  const members = reader.texts('members', IDENTIFIER, lane === 'registered' ? 1 : 0);
  if (!isSortedSet(members)) reader.fail('FIELD_ORDER', 'members');
  const candidate = reader.raw('candidate_manifest');
  const qualification: Qualification = {
    ...digests,
    lane,
    finalized_block: reader.wideInteger('finalized_block', 0),
    event_index: reader.wideInteger('event_index', 0),
    event_subindex: reader.wideInteger('event_subindex', 0),
    hotkey: reader.text('hotkey', IDENTIFIER),
    target_id: reader.text('target_id', IDENTIFIER),
    members,
    speedup: readSpeedup(reader),
    incumbent_manifest: parseEvaluationStack(reader.raw('incumbent_manifest'), reader.at('incumbent_manifest')),
    candidate_manifest: candidate === null ? null : parseEvaluationStack(candidate, reader.at('candidate_manifest')),
    proposal_digest: reader.raw('proposal_digest') === '' ? '' : reader.digest('proposal_digest'),
    ...readOptional(reader, digests.arena_digest, policies),
  };
  checkStacks(qualification, at);
  checkLane(qualification, at);
  return qualification;
}

/** Digest under the domain that the shape decides. */
export function qualificationDigest(qualification: Qualification): string {
  if (qualification.resident_lane_orientation !== undefined) {
    return canonicalDigest(DOMAIN.qualificationResident, qualification);
  }
  const isAudited = qualification.audit_policy !== undefined;
  return canonicalDigest(isAudited ? DOMAIN.qualificationAudited : DOMAIN.qualification, qualification);
}

/** The speed policy that applies: the one named, or the legacy one. */
export function speedPolicyOf(qualification: Qualification): string {
  return qualification.speed_evidence_policy_digest ?? LEGACY_SPEED_POLICY_DIGEST;
}

/** What two passes must have in common to be about the same thing. */
export function reproductionIdentity(qualification: Qualification): Readonly<Record<string, string>> {
  return {
    arena_digest: qualification.arena_digest,
    target_id: qualification.target_id,
    selected_delta_digest: qualification.selected_delta_digest,
    hotkey: qualification.hotkey,
    incumbent_stack_digest: qualification.incumbent_stack_digest,
    incumbent_tree_digest: qualification.incumbent_tree_digest,
    candidate_stack_digest: qualification.candidate_stack_digest,
    candidate_tree_digest: qualification.candidate_tree_digest,
  };
}

export function reproductionIdentityDigest(qualification: Qualification): string {
  return canonicalDigest(DOMAIN.reproductionIdentity, reproductionIdentity(qualification));
}

/** The optional fields as emitted: the speed policy goes out with anything but a legacy, unaudited pass. */
function readOptional(reader: ObjectReader, arenaDigest: string, policies: ResidentPolicies): Partial<Qualification> {
  const hasSpeed = reader.has('speed_evidence_policy_digest');
  const audit = AUDIT.filter((key) => reader.has(key)).length;
  const hasOrientation = reader.has('resident_lane_orientation');
  if (audit !== 0 && (audit !== AUDIT.length || !hasSpeed)) refuse('QUALIFICATION_AUDIT', reader.at('audit_policy'));
  const speed = hasSpeed ? reader.digest('speed_evidence_policy_digest') : LEGACY_SPEED_POLICY_DIGEST;
  if (hasOrientation !== isResidentPolicy(speed, policies)) {
    refuse('QUALIFICATION_ORIENTATION', reader.at('resident_lane_orientation'));
  }
  const isEmitted = audit !== 0 || speed !== LEGACY_SPEED_POLICY_DIGEST;
  return {
    ...(isEmitted ? { speed_evidence_policy_digest: speed } : {}),
    ...(audit === 0 ? {} : readAudit(reader)),
    ...(hasOrientation ? { resident_lane_orientation: readOrientation(reader, speed, arenaDigest, policies) } : {}),
  };
}

function readAudit(reader: ObjectReader): Partial<Qualification> {
  const policy = parseAuditPolicy(reader.raw('audit_policy'), reader.at('audit_policy'));
  const control = reader.digest('audit_control_digest');
  const evidence = reader.digest('audit_evidence_digest');
  if (auditControlDigest(policy) !== control) refuse('QUALIFICATION_AUDIT', reader.at('audit_control_digest'));
  if (evidence === LEGACY_AUDIT_EVIDENCE_DIGEST) refuse('QUALIFICATION_AUDIT', reader.at('audit_evidence_digest'));
  return { audit_control_digest: control, audit_policy: policy, audit_evidence_digest: evidence };
}

function readOrientation(
  reader: ObjectReader,
  speed: string,
  arenaDigest: string,
  policies: ResidentPolicies,
): LaneOrientation {
  const at = reader.at('resident_lane_orientation');
  const orientation = parseOrientation(reader.raw('resident_lane_orientation'), at);
  const isPeers = policies.has(speed);
  const isOfPolicy = orientation.speed_evidence_policy_digest === speed;
  const isControlled = !isPeers || orientation.control_digest === residentControlDigest(arenaDigest, speed);
  if (!isOfPolicy || !isControlled) refuse('QUALIFICATION_ORIENTATION', at);
  return orientation;
}

function checkStacks(q: Qualification, at: string): void {
  if (q.incumbent_stack_digest === q.candidate_stack_digest || q.incumbent_tree_digest === q.candidate_tree_digest) {
    refuse('QUALIFICATION_STACKS_EQUAL', `${at}.candidate_stack_digest`);
  }
  const incumbent = q.incumbent_manifest;
  if (stackDigest(incumbent) !== q.incumbent_stack_digest || incumbent.arena_digest !== q.arena_digest) {
    refuse('QUALIFICATION_MANIFEST', `${at}.incumbent_manifest`);
  }
  const candidate = q.candidate_manifest;
  if (candidate === null) return;
  if (stackDigest(candidate) !== q.candidate_stack_digest || candidate.arena_digest !== q.arena_digest) {
    refuse('QUALIFICATION_MANIFEST', `${at}.candidate_manifest`);
  }
}

function checkLane(q: Qualification, at: string): void {
  const isRegistered = q.lane === 'registered';
  if (isRegistered !== (q.candidate_manifest !== null)) refuse('QUALIFICATION_LANE', `${at}.candidate_manifest`);
  if (isRegistered !== (q.proposal_digest === '')) refuse('QUALIFICATION_LANE', `${at}.proposal_digest`);
  if (q.candidate_manifest === null) return;
  const entry = entryOf(q.candidate_manifest, q.target_id);
  if (entry === undefined || selectedDeltaDigest(entry) !== q.selected_delta_digest) {
    refuse('QUALIFICATION_DELTA', `${at}.candidate_manifest.entries`);
  }
}

function readSpeedup(reader: ObjectReader): string {
  const value = reader.raw('speedup');
  const field = reader.at('speedup');
  if (typeof value !== 'string') return refuse('QUALIFICATION_SPEEDUP', field);
  try {
    parseSpeedup(value);
  } catch (cause) {
    if (!(cause instanceof IdentityError)) throw cause;
    throw new SettlementError('QUALIFICATION_SPEEDUP', undefined, { field, cause });
  }
  return value;
}

function refuse(code: SettlementErrorCode, field: string): never {
  throw new SettlementError(code, undefined, { field });
}
