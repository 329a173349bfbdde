import { canonicalBytes, canonicalDigest, type JsonObject, sha256Hex } from '../identity/index.ts';
import type { EvidenceArtifactRef } from '../manifest/index.ts';
import type { SettlementCandidate } from './candidate.ts';
import { DOMAIN } from './constants.ts';
import { SettlementError } from './errors.ts';
import type { Qualification } from './qualification.ts';

/** One side's part of the settlement evidence. */
export interface EvidenceSide {
  readonly authority_digest: string;
  /** sha256 is the qualification's attempt digest. */
  readonly attempt_ref: EvidenceArtifactRef;
  readonly report_digest: string;
  readonly selection_evidence_digest: string;
}

/** What a crown rests on (`protocol.md` section 7); its digest is a claim's retained_evidence_digest. */
export interface SettlementEvidence {
  readonly candidate_digest: string;
  readonly reservation_digest: string;
  readonly primary: EvidenceSide;
  readonly reproduction: EvidenceSide;
}

/**
 * The evidence object of a candidate.
 * @param attempts the attempts of primary and reproduction, see {@link attemptRef}
 * @throws SettlementError EVIDENCE_MISMATCH
 */
export function settlementEvidence(
  candidate: SettlementCandidate,
  attempts: readonly [EvidenceArtifactRef, EvidenceArtifactRef],
): SettlementEvidence {
  const primary = sideOf(candidate.primary, attempts[0], 'primary');
  const reproduction = sideOf(candidate.reproduction, attempts[1], 'reproduction');
  const isDistinct =
    primary.authority_digest !== reproduction.authority_digest &&
    primary.attempt_ref.sha256 !== reproduction.attempt_ref.sha256 &&
    primary.report_digest !== reproduction.report_digest &&
    primary.selection_evidence_digest !== reproduction.selection_evidence_digest;
  if (!isDistinct) throw new SettlementError('EVIDENCE_MISMATCH', undefined, { field: 'reproduction' });
  return {
    candidate_digest: candidate.digest,
    reservation_digest: candidate.primary.reservation_digest,
    primary,
    reproduction,
  };
}

export function settlementEvidenceDigest(evidence: SettlementEvidence): string {
  return canonicalDigest(DOMAIN.evidence, evidence);
}

/**
 * Reference to a peer's attempt: the bytes are the canonical envelope that attempt_digest is the SHA-256 of
 * (`peer-protocol.md` section 9), so the digest names them like any other artifact.
 * @param attempt the attempt object
 */
export function attemptRef(attempt: JsonObject): EvidenceArtifactRef {
  const bytes = canonicalBytes({ domain: DOMAIN.attempt, payload: attempt, schema_version: 1 });
  return {
    domain: 'peer.attempt',
    schema: DOMAIN.attempt,
    media_type: 'application/json',
    sha256: sha256Hex(bytes),
    size: bytes.length,
  };
}

function sideOf(qualification: Qualification, attempt: EvidenceArtifactRef, field: string): EvidenceSide {
  if (attempt.sha256 !== qualification.qualification_attempt_digest) {
    throw new SettlementError('EVIDENCE_MISMATCH', undefined, { field: `${field}.attempt_ref` });
  }
  return {
    authority_digest: qualification.qualification_authority_digest,
    attempt_ref: attempt,
    report_digest: qualification.qualification_report_digest,
    selection_evidence_digest: qualification.selection_evidence_digest,
  };
}
