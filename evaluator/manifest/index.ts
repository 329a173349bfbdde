export {
  type ArtifactName,
  type EvidenceArtifactRef,
  type IntegrationReviewArtifacts,
  parseArtifactRef,
  parseReviewArtifacts,
  reviewArtifactsDigest,
} from './artifacts.ts';
export {
  contextOf,
  type EvaluationStackContext,
  parseEvaluationContext,
  parseReleaseContext,
  type ReleaseStackContext,
  targetSpecDigests,
  validateManifest,
} from './context.ts';
export {
  attributionDigest,
  type ContributionRef,
  contributionDigest,
  type IntegratedContributionRef,
  type ProposalContributionRef,
  parseContributionRef,
  parseIntegratedRef,
  parseProposalRef,
  selectedDeltaDigest,
} from './contribution.ts';
export { MANIFEST_ERRORS, ManifestError, type ManifestErrorCode } from './errors.ts';
export {
  parseReferenceManifest,
  type ReferenceManifest,
  referenceManifestDigest,
  referenceMeasuredDigest,
  requirePristine,
} from './reference.ts';
export {
  type IntegrationReviewRecord,
  integratedRefOf,
  parseReviewRecord,
  requireReviewCoverage,
  reviewRecordDigest,
} from './review.ts';
export {
  type EngineReleaseManifest,
  type EvaluationStackManifest,
  entryOf,
  parseEngineRelease,
  parseEvaluationStack,
  type StackManifest,
  stackDigest,
  withEntries,
} from './stack.ts';
