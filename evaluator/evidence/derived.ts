import type { PlannedCandidate } from '../candidate/types.ts';
import type { Attempt } from '../launch/index.ts';
import {
  authorityReceiptDigest,
  entropyDigest,
  entropyReceipt,
  type SelectionReceipt,
  selectionEvidenceDigest,
  selectionReceipt,
} from '../select/index.ts';
import type { PlaceContext, Run } from './context.ts';

/*
 * Files that follow from the chain, the bundle and the secret. Whoever regrades builds them again and compares bytes.
 */

/** attempt.json: the very object whose digest is anchored. */
export function attemptFile(attempt: Attempt): unknown {
  return attempt;
}

/** secret.json. */
export function secretFile(secret: Uint8Array): unknown {
  return { schema_version: 1, secret: Buffer.from(secret).toString('hex') };
}

/** plan.json: the planned delta and the object whose digest is plan_digest. */
export function planFile(run: Run, planned: PlannedCandidate): unknown {
  return {
    schema_version: 1,
    plan: run.plan,
    target_id: planned.targetId,
    members: planned.members,
    selected_payload_digest: planned.selectedPayloadDigest,
    selected_delta_digest: planned.selectedDeltaDigest,
    incumbent_stack_digest: planned.incumbentStackDigest,
    incumbent_tree_digest: planned.incumbentTreeDigest,
    candidate_stack_digest: planned.candidateStackDigest,
    candidate_tree_digest: planned.candidateTreeDigest,
  };
}

/** manifests.json: both stacks of the arm. */
export function manifestsFile(planned: PlannedCandidate): unknown {
  return {
    schema_version: 1,
    incumbent_manifest: planned.incumbentManifest,
    candidate_manifest: planned.candidateManifest,
  };
}

/**
 * The receipt of the selection. Under v2 the entropy is the selection seed, and the teardown that its authority names
 * is the sealed trajectory: it exists only after the candidate is gone.
 * @param sealedTrajectory SHA-256 of trajectory.json
 */
export function selectionReceiptOf(run: Run, sealedTrajectory: string): SelectionReceipt {
  const entropy = entropyDigest(Buffer.from(run.seed, 'hex'));
  const authority = authorityReceiptDigest({
    commitment_digest: run.commitmentDigest,
    entropy_digest: entropy,
    source_digest: run.commitment.entropy_source_digest,
    teardown_digest: sealedTrajectory,
  });
  return selectionReceipt(
    run.commitment,
    entropyReceipt(run.commitment, entropy, authority),
    sealedTrajectory,
    run.selected,
  );
}

/**
 * selection.json. The prompt digests of the commitment are left out: they follow from the evaluation object.
 * @param sealedTrajectory SHA-256 of trajectory.json, null if the run ended before
 */
export function selectionFile(context: PlaceContext, run: Run, sealedTrajectory: string | null): unknown {
  const { prompt_digests: _pool, ...commitment } = run.commitment;
  const receipt = sealedTrajectory === null ? null : selectionReceiptOf(run, sealedTrajectory);
  return {
    schema_version: 1,
    attempt_digest: run.attemptDigest,
    block_hash: context.blockHash,
    seed: run.seed,
    commitment,
    commitment_digest: run.commitmentDigest,
    selected_prompt_digests: run.selected,
    receipt,
    selection_evidence_digest: receipt === null ? null : selectionEvidenceDigest(receipt),
  };
}
