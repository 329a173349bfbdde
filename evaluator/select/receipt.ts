import { canonicalDigest, sha256Hex } from '../identity/index.ts';
import { commitmentDigest, requireDigest, type SelectionCommitment } from './commitment.ts';
import { SelectError } from './errors.ts';

/** Where the entropy came from, after the commitment (`protocol.md` section 10, Entropy receipt). */
export interface EntropyReceipt {
  readonly source_digest: string;
  readonly commitment_digest: string;
  readonly entropy_digest: string;
  readonly authority_receipt_digest: string;
}

/** What was selected, bound to the sealed trajectory (`protocol.md` section 10, Receipt). */
export interface SelectionReceipt {
  readonly commitment_digest: string;
  readonly reveal_digest: string;
  readonly entropy_receipt_digest: string;
  readonly sealed_cohort_trajectory_digest: string;
  readonly selected_prompt_digests: readonly string[];
}

/** SHA-256 of at least 32 bytes of entropy; under v2 these are the bytes of the selection seed. */
export function entropyDigest(entropy: Uint8Array): string {
  if (entropy.length < 32) throw new SelectError('DIGEST_INVALID', 'under 32 bytes of entropy', { field: 'entropy' });
  return sha256Hex(entropy);
}

/** CD of the authority's receipt for its entropy. Under v2 the teardown digest is that of the sealed trajectory. */
export function authorityReceiptDigest(receipt: {
  readonly commitment_digest: string;
  readonly entropy_digest: string;
  readonly source_digest: string;
  readonly teardown_digest: string;
}): string {
  return canonicalDigest('cacheon.eval.selection-entropy-authority-receipt.v1', receipt);
}

/** The entropy receipt of a commitment. @throws SelectError DIGEST_INVALID */
export function entropyReceipt(
  commitment: SelectionCommitment,
  entropy: string,
  authorityReceipt: string,
): EntropyReceipt {
  requireDigest(entropy, 'entropy_digest');
  requireDigest(authorityReceipt, 'authority_receipt_digest');
  return {
    source_digest: commitment.entropy_source_digest,
    commitment_digest: commitmentDigest(commitment),
    entropy_digest: entropy,
    authority_receipt_digest: authorityReceipt,
  };
}

/** CD("cacheon.qualification.selection-entropy", receipt). */
export function entropyReceiptDigest(receipt: EntropyReceipt): string {
  return canonicalDigest('cacheon.qualification.selection-entropy', receipt);
}

/** The receipt of a selection. @throws SelectError DIGEST_INVALID */
export function selectionReceipt(
  commitment: SelectionCommitment,
  entropy: EntropyReceipt,
  sealedTrajectoryDigest: string,
  selected: readonly string[],
): SelectionReceipt {
  requireDigest(sealedTrajectoryDigest, 'sealed_cohort_trajectory_digest');
  return {
    commitment_digest: entropy.commitment_digest,
    reveal_digest: commitment.secret_commitment,
    entropy_receipt_digest: entropyReceiptDigest(entropy),
    sealed_cohort_trajectory_digest: sealedTrajectoryDigest,
    selected_prompt_digests: selected,
  };
}

/** CD("cacheon.qualification.selection-receipt", receipt). */
export function selectionReceiptDigest(receipt: SelectionReceipt): string {
  return canonicalDigest('cacheon.qualification.selection-receipt', receipt);
}

/** The settlement's digest over the three (`protocol.md` section 10, last line). */
export function selectionEvidenceDigest(receipt: SelectionReceipt): string {
  return canonicalDigest('cacheon.settlement.selection-evidence', {
    commitment_digest: receipt.commitment_digest,
    entropy_digest: receipt.entropy_receipt_digest,
    selection_digest: selectionReceiptDigest(receipt),
  });
}
