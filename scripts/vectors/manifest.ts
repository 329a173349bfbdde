import {
  contributionDigest,
  integratedRefOf,
  parseEngineRelease,
  parseEvaluationContext,
  parseEvaluationStack,
  parseIntegratedRef,
  parseProposalRef,
  parseReferenceManifest,
  parseReleaseContext,
  parseReviewRecord,
  referenceManifestDigest,
  referenceMeasuredDigest,
  reviewArtifactsDigest,
  reviewRecordDigest,
  selectedDeltaDigest,
  stackDigest,
  validateManifest,
} from '../../evaluator/manifest/index.ts';
import type { VectorFamily } from './family.ts';

type Run = (value: unknown, context: unknown) => Record<string, unknown>;

const KINDS: Readonly<Record<string, Run>> = {
  proposal: (value) => {
    const ref = parseProposalRef(value);
    return { digest: contributionDigest(ref), selected_delta_digest: selectedDeltaDigest(ref) };
  },
  integrated: (value) => {
    const ref = parseIntegratedRef(value);
    return { digest: contributionDigest(ref), selected_delta_digest: selectedDeltaDigest(ref) };
  },
  evaluation_stack: (value) => ({ digest: stackDigest(parseEvaluationStack(value)) }),
  engine_release: (value) => ({ digest: stackDigest(parseEngineRelease(value)) }),
  evaluation_validate: (value, context) => {
    const manifest = parseEvaluationStack(value);
    validateManifest(manifest, parseEvaluationContext(context));
    return { digest: stackDigest(manifest) };
  },
  release_validate: (value, context) => {
    const manifest = parseEngineRelease(value);
    validateManifest(manifest, parseReleaseContext(context));
    return { digest: stackDigest(manifest) };
  },
  integration_review: (value) => {
    const record = parseReviewRecord(value);
    const ref = integratedRefOf(record);
    return {
      digest: reviewRecordDigest(record),
      artifacts_digest: reviewArtifactsDigest(record.artifacts),
      integrated_ref: ref,
      integrated_ref_digest: contributionDigest(ref),
      selected_delta_digest: selectedDeltaDigest(ref),
    };
  },
  reference_manifest: (value) => {
    const reference = parseReferenceManifest(value);
    return { digest: referenceManifestDigest(reference), measured_digest: referenceMeasuredDigest(reference) };
  },
};

export const family: VectorFamily = {
  family: 'manifest',
  run(input) {
    const run = KINDS[input['kind'] as string];
    if (run === undefined) throw new Error(`unknown kind ${String(input['kind'])}`);
    return run(input['value'], input['context']);
  },
};
