import { ObjectReader } from '../fields/index.ts';
import { canonicalDigest } from '../identity/index.ts';
import { ARTIFACT_MAX_BYTES, DOMAIN } from './constants.ts';
import { ManifestError } from './errors.ts';

/** A retained artifact by content (`protocol.md` section 3). */
export interface EvidenceArtifactRef {
  readonly domain: string;
  /** SHA-256 of the bytes, 64 hex digits; the reference allows all zero here. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  readonly media_type: string;
  readonly schema: string;
}

const ARTIFACT_DOMAIN = /^[a-z0-9][a-z0-9._-]{0,95}$/;
const SCHEMA = /^[a-z0-9][a-z0-9._-]{0,127}$/;
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$/;

/** Domain and schema of each of the seven artifacts of a review; all are application/json. */
const ARTIFACTS = {
  primary_attempt_ref: ['qualification.cohort-attempt', 'cacheon.qualification.cohort-attempt.v1'],
  reproduction_attempt_ref: ['qualification.cohort-attempt', 'cacheon.qualification.cohort-attempt.v1'],
  license_evidence_ref: ['integration.license', 'cacheon.integration.license.v1'],
  provenance_evidence_ref: ['integration.provenance', 'cacheon.integration.provenance.v1'],
  security_review_ref: ['integration.security-review', 'cacheon.integration.security-review.v1'],
  compatibility_evidence_ref: ['integration.compatibility', 'cacheon.integration.compatibility.v1'],
  test_evidence_ref: ['integration.tests', 'cacheon.integration.tests.v1'],
} as const;

export type ArtifactName = keyof typeof ARTIFACTS;
export const ARTIFACT_NAMES = Object.keys(ARTIFACTS) as readonly ArtifactName[];

export type IntegrationReviewArtifacts = Readonly<Record<ArtifactName, EvidenceArtifactRef>>;

/**
 * Parses a closed EvidenceArtifactRef.
 * @throws FieldError
 */
export function parseArtifactRef(value: unknown, at = 'artifact'): EvidenceArtifactRef {
  const reader = new ObjectReader(value, at, ['domain', 'sha256', 'size', 'media_type', 'schema']);
  return {
    domain: reader.text('domain', ARTIFACT_DOMAIN),
    sha256: reader.hexDigest('sha256'),
    size: reader.integer('size', 0, ARTIFACT_MAX_BYTES),
    media_type: reader.text('media_type', MEDIA_TYPE),
    schema: reader.text('schema', SCHEMA),
  };
}

/**
 * Parses the seven artifacts of a review: each of its own kind, all of different content.
 * @throws FieldError, ManifestError REVIEW_ARTIFACTS_REPEATED
 */
export function parseReviewArtifacts(value: unknown, at = 'artifacts'): IntegrationReviewArtifacts {
  const reader = new ObjectReader(value, at, ARTIFACT_NAMES);
  const refs = ARTIFACT_NAMES.map((name) => {
    const [domain, schema] = ARTIFACTS[name];
    const ref = parseArtifactRef(reader.raw(name), reader.at(name));
    if (ref.domain !== domain || ref.schema !== schema || ref.media_type !== 'application/json') {
      reader.fail('FIELD_VALUE', name, `not a ${domain} artifact in JSON`);
    }
    return [name, ref] as const;
  });
  if (new Set(refs.map(([, ref]) => ref.sha256)).size !== refs.length) {
    throw new ManifestError('REVIEW_ARTIFACTS_REPEATED', undefined, { field: at });
  }
  return Object.fromEntries(refs) as Record<ArtifactName, EvidenceArtifactRef>;
}

export function reviewArtifactsDigest(artifacts: IntegrationReviewArtifacts): string {
  return canonicalDigest(DOMAIN.reviewArtifacts, artifacts);
}
