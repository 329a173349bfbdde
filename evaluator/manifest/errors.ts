import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type ManifestErrorCode =
  | 'MANIFEST_TYPE'
  | 'MANIFEST_CATALOG_EMPTY'
  | 'MANIFEST_CATALOG_DIGEST'
  | 'MANIFEST_ENTRY_KEY'
  | 'MANIFEST_ENTRY_TYPE'
  | 'CONTEXT_CATALOG'
  | 'CONTEXT_TARGET_SPECS'
  | 'CONTEXT_MISMATCH'
  | 'CONTEXT_UNKNOWN_TARGET'
  | 'CONTEXT_STALE_TARGET_SPEC'
  | 'REVIEW_ARTIFACTS_REPEATED'
  | 'REVIEW_ATTEMPTS_EQUAL'
  | 'REVIEW_EVIDENCE_MISMATCH'
  | 'REVIEW_REVIEWER'
  | 'REVIEW_COVERAGE'
  | 'REFERENCE_NOT_PRISTINE';

/** Errors of contributions, stack manifests, reviews and the reference manifest. */
export const MANIFEST_ERRORS: ErrorTable<ManifestErrorCode> = {
  MANIFEST_TYPE: { fault: 'peer', what: 'unknown type', remedy: 'a type of protocol.md sections 3 and 4' },
  MANIFEST_CATALOG_EMPTY: { fault: 'peer', what: 'the catalog snapshot is empty', remedy: 'a full snapshot' },
  MANIFEST_CATALOG_DIGEST: {
    fault: 'peer',
    what: 'catalog_digest is not the digest of catalog_snapshot',
    remedy: 'the digest of exactly that snapshot',
  },
  MANIFEST_ENTRY_KEY: { fault: 'peer', what: "an entry's key is not its target_id", remedy: 'key equal to target_id' },
  MANIFEST_ENTRY_TYPE: {
    fault: 'peer',
    what: 'a contribution of a type that this manifest refuses',
    remedy: 'integrated references only in a release; proposal or integrated ones in an evaluation stack',
  },
  CONTEXT_CATALOG: {
    fault: 'operator',
    what: "the context's catalog has no usable list of targets, or another digest",
    remedy: 'the snapshot of the ruling catalog',
  },
  CONTEXT_TARGET_SPECS: {
    fault: 'operator',
    what: 'target_spec_digests is not the complete map of the snapshot',
    remedy: 'one digest for every target of the snapshot, and no other',
  },
  CONTEXT_MISMATCH: {
    fault: 'peer',
    what: 'the manifest belongs to another runtime, engine, arena or catalog',
    remedy: 'a manifest made for this context',
  },
  CONTEXT_UNKNOWN_TARGET: { fault: 'peer', what: 'target absent from the catalog', remedy: 'a registered target' },
  CONTEXT_STALE_TARGET_SPEC: {
    fault: 'peer',
    what: "an entry names another target spec than the catalog's",
    remedy: 'a contribution made for this target spec',
  },
  REVIEW_ARTIFACTS_REPEATED: {
    fault: 'operator',
    what: 'two review artifacts have the same sha256',
    remedy: 'seven distinct artifacts',
  },
  REVIEW_ATTEMPTS_EQUAL: {
    fault: 'operator',
    what: 'primary and reproduction are the same attempt',
    remedy: 'two independent attempts',
  },
  REVIEW_EVIDENCE_MISMATCH: {
    fault: 'operator',
    what: 'an evidence digest is not that of its artifact',
    remedy: 'the sha256 of the matching artifact',
  },
  REVIEW_REVIEWER: {
    fault: 'operator',
    what: 'unusable reviewer name',
    remedy: '1 to 256 characters, trimmed, one line',
  },
  REVIEW_COVERAGE: {
    fault: 'operator',
    what: 'a release entry has not exactly one matching approved record, or a record has no entry',
    remedy: 'one integration review record per entry',
  },
  REFERENCE_NOT_PRISTINE: {
    fault: 'operator',
    what: 'the pristine stack has entries or is not the one named',
    remedy: 'a reference manifest over the stock stack',
  },
};

export class ManifestError extends CacheonError<ManifestErrorCode> {
  constructor(code: ManifestErrorCode, message?: string, details?: ErrorDetails) {
    super(code, MANIFEST_ERRORS[code], message, details);
  }
}
