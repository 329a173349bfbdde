import { parseReferenceManifest } from '../../evaluator/manifest/index.ts';
import {
  commitmentDigest,
  entropyReceipt,
  entropyReceiptDigest,
  secretCommitment,
  selectionCommitment,
  selectionReceipt,
  selectionReceiptDigest,
  selectV1,
} from '../../evaluator/select/index.ts';
import type { VectorFamily } from './family.ts';

export const family: VectorFamily = {
  family: 'selection',
  run(input) {
    const commitment = selectionCommitment({
      sourcePlanDigest: input['source_plan_digest'] as string,
      reference: parseReferenceManifest(input['reference_manifest']),
      secretCommitment: secretCommitment(Buffer.from(input['secret_b64'] as string, 'base64')),
      promptDigests: input['prompt_digests'] as string[],
      selectCount: input['select_count'] as number,
      policyVersion: 'qualification-selection.v1',
    });
    const entropy = input['entropy_digest'] as string;
    const receipt = entropyReceipt(commitment, entropy, input['authority_receipt_digest'] as string);
    const selected = selectV1(commitment, entropy);
    const sealed = input['sealed_cohort_trajectory_digest'] as string;
    return {
      entropy_source_digest: commitment.entropy_source_digest,
      secret_commitment: commitment.secret_commitment,
      commitment_digest: commitmentDigest(commitment),
      entropy_receipt_digest: entropyReceiptDigest(receipt),
      selected,
      receipt_digest: selectionReceiptDigest(selectionReceipt(commitment, receipt, sealed, selected)),
    };
  },
};
