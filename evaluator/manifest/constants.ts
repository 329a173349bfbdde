/** Digest domains of contributions, manifests and reviews (`protocol.md` section 2). */
export const DOMAIN = {
  selectedDelta: 'cacheon.contribution.selected_delta',
  proposal: 'cacheon.contribution.proposal',
  integrated: 'cacheon.contribution.integrated',
  review: 'cacheon.contribution.integration-review',
  reviewArtifacts: 'cacheon.integration-review.artifacts',
  attribution: 'cacheon.contribution.attribution.v1',
  evaluationStack: 'cacheon.stack.evaluation',
  releaseStack: 'cacheon.stack.release',
  reference: 'cacheon.qualification.reference-manifest',
  referenceMeasured: 'cacheon.qualification.reference-manifest-measured',
  catalog: 'cacheon.target-catalog',
  targetSpec: 'cacheon.target-spec',
} as const;

export const EVALUATION_STACK_POLICY = 'evaluation-stack.v1';
export const ENGINE_RELEASE_POLICY = 'engine-release.v1';

/** Bytes of one evidence artifact that a review may name: 2^30. */
export const ARTIFACT_MAX_BYTES = 2 ** 30;
