import { isTrimmedName, ObjectReader, TARGET_ID } from '../fields/index.ts';
import { canonicalDigest } from '../identity/index.ts';
import { type IntegrationReviewArtifacts, parseReviewArtifacts } from './artifacts.ts';
import { DOMAIN } from './constants.ts';
import { contributionDigest, type IntegratedContributionRef } from './contribution.ts';
import { ManifestError } from './errors.ts';
import type { EngineReleaseManifest } from './stack.ts';

/** Evidence digests of a record and the artifact each of them must name. */
const EVIDENCE = {
  primary_attempt_digest: 'primary_attempt_ref',
  reproduction_attempt_digest: 'reproduction_attempt_ref',
  license_evidence_digest: 'license_evidence_ref',
  provenance_evidence_digest: 'provenance_evidence_ref',
  security_review_digest: 'security_review_ref',
  compatibility_evidence_digest: 'compatibility_evidence_ref',
  test_evidence_digest: 'test_evidence_ref',
} as const;

const BINDINGS = [
  'target_spec_digest',
  'proposal_contribution_digest',
  'settlement_candidate_digest',
  'settlement_evidence_digest',
  'crown_event_digest',
  'integrated_source_tree_digest',
  'selected_payload_digest',
  'attribution_digest',
] as const;

type EvidenceDigest = keyof typeof EVIDENCE;
type DigestField = EvidenceDigest | (typeof BINDINGS)[number];
const EVIDENCE_DIGESTS = Object.keys(EVIDENCE) as readonly EvidenceDigest[];
const DIGESTS: readonly DigestField[] = [...BINDINGS, ...EVIDENCE_DIGESTS];

/** The approved promotion of one crown to reviewed source (`protocol.md` section 3). */
export interface IntegrationReviewRecord extends Readonly<Record<DigestField, string>> {
  readonly schema_version: 1;
  readonly target_id: string;
  readonly artifacts: IntegrationReviewArtifacts;
  readonly reviewer: string;
  /** 40 hex digits of the reviewed commit. */
  readonly review_commit: string;
  readonly approved: true;
}

/**
 * Parses a closed IntegrationReviewRecord.
 * @throws FieldError, ManifestError REVIEW_*
 */
export function parseReviewRecord(value: unknown, at = 'review'): IntegrationReviewRecord {
  const scalars = ['schema_version', 'target_id', 'artifacts', 'reviewer', 'review_commit', 'approved'];
  const reader = new ObjectReader(value, at, [...DIGESTS, ...scalars]);
  const digests = Object.fromEntries(DIGESTS.map((key) => [key, reader.digest(key)])) as Record<DigestField, string>;
  if (digests.primary_attempt_digest === digests.reproduction_attempt_digest) {
    throw new ManifestError('REVIEW_ATTEMPTS_EQUAL', undefined, { field: reader.at('reproduction_attempt_digest') });
  }
  const artifacts = parseReviewArtifacts(reader.raw('artifacts'), reader.at('artifacts'));
  for (const key of EVIDENCE_DIGESTS) {
    if (digests[key] !== artifacts[EVIDENCE[key]].sha256) {
      throw new ManifestError('REVIEW_EVIDENCE_MISMATCH', undefined, { field: reader.at(key) });
    }
  }
  const reviewer = reader.raw('reviewer');
  if (!isTrimmedName(reviewer)) {
    throw new ManifestError('REVIEW_REVIEWER', undefined, { field: reader.at('reviewer') });
  }
  return {
    ...digests,
    schema_version: reader.literal('schema_version', 1),
    target_id: reader.text('target_id', TARGET_ID),
    artifacts,
    reviewer,
    review_commit: reader.text('review_commit', /^[0-9a-f]{40}$/),
    approved: reader.literal('approved', true),
  };
}

export function reviewRecordDigest(record: IntegrationReviewRecord): string {
  return canonicalDigest(DOMAIN.review, record);
}

/** The one integrated reference that an approved record determines. */
export function integratedRefOf(record: IntegrationReviewRecord): IntegratedContributionRef {
  return {
    type: 'integrated',
    schema_version: 1,
    target_id: record.target_id,
    target_spec_digest: record.target_spec_digest,
    selected_payload_digest: record.selected_payload_digest,
    attribution_digest: record.attribution_digest,
    integrated_source_tree_digest: record.integrated_source_tree_digest,
    integration_record_digest: reviewRecordDigest(record),
  };
}

/**
 * Checks that the records and the release's entries cover each other one to one: each record determines exactly
 * the reference that the release holds for its target.
 * @throws ManifestError REVIEW_COVERAGE naming the target
 */
export function requireReviewCoverage(
  release: EngineReleaseManifest,
  records: readonly IntegrationReviewRecord[],
): void {
  const uncovered = new Map(Object.entries(release.entries).map(([id, ref]) => [id, contributionDigest(ref)]));
  for (const record of records) {
    if (uncovered.get(record.target_id) !== contributionDigest(integratedRefOf(record)))
      throw coverage(record.target_id);
    uncovered.delete(record.target_id);
  }
  for (const target of uncovered.keys()) throw coverage(target);
}

function coverage(target: string): ManifestError {
  return new ManifestError('REVIEW_COVERAGE', undefined, { field: `entries.${target}` });
}
