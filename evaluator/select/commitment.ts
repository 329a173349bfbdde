import { canonicalDigest, compareCodePoints, isDigest } from '../identity/index.ts';
import { type ReferenceManifest, referenceManifestDigest } from '../manifest/index.ts';
import { SelectError } from './errors.ts';

export type SelectionPolicyVersion = 'qualification-selection.v1' | 'qualification-selection.v2';

/** What is fixed before the seed exists (`protocol.md` section 10, Commitment). */
export interface SelectionCommitment {
  readonly source_plan_digest: string;
  readonly reference_manifest_digest: string;
  readonly workload_digest: string;
  readonly entropy_source_digest: string;
  readonly secret_commitment: string;
  readonly prompt_digests: readonly string[];
  readonly select_count: number;
  readonly policy_version: SelectionPolicyVersion;
  readonly schema_version: 1;
}

export interface CommitmentInput {
  readonly sourcePlanDigest: string;
  readonly reference: ReferenceManifest;
  readonly secretCommitment: string;
  /** Sorted, each once. */
  readonly promptDigests: readonly string[];
  readonly selectCount: number;
  readonly policyVersion: SelectionPolicyVersion;
}

/**
 * Builds the commitment of one selection.
 * @throws SelectError DIGEST_INVALID, POOL_INVALID, SELECT_COUNT
 */
export function selectionCommitment(input: CommitmentInput): SelectionCommitment {
  requireDigest(input.sourcePlanDigest, 'source_plan_digest');
  requireDigest(input.secretCommitment, 'secret_commitment');
  requirePool(input.promptDigests);
  const count = input.selectCount;
  if (!Number.isSafeInteger(count) || count < 1 || count > input.promptDigests.length) {
    throw new SelectError('SELECT_COUNT');
  }
  return {
    source_plan_digest: input.sourcePlanDigest,
    reference_manifest_digest: referenceManifestDigest(input.reference),
    workload_digest: input.reference.workload_digest,
    entropy_source_digest: entropySourceDigest(input.reference.selection_policy_digest),
    secret_commitment: input.secretCommitment,
    prompt_digests: input.promptDigests,
    select_count: count,
    policy_version: input.policyVersion,
    schema_version: 1,
  };
}

/** CD("cacheon.qualification.selection-commitment", commitment). */
export function commitmentDigest(commitment: SelectionCommitment): string {
  return canonicalDigest('cacheon.qualification.selection-commitment', commitment);
}

/** The declared source of entropy, bound to the selection policy. */
export function entropySourceDigest(selectionPolicyDigest: string): string {
  return canonicalDigest('cacheon.eval.b300-declared-entropy-provider.v1', {
    selection_policy_digest: selectionPolicyDigest,
  });
}

export function requireDigest(value: string, field: string): void {
  if (!isDigest(value)) throw new SelectError('DIGEST_INVALID', undefined, { field });
}

function requirePool(digests: readonly string[]): void {
  if (digests.length === 0) throw new SelectError('POOL_INVALID', 'no prompts', { field: 'prompt_digests' });
  digests.forEach((digest, i) => {
    const field = `prompt_digests[${i}]`;
    requireDigest(digest, field);
    const before = digests[i - 1];
    if (before !== undefined && compareCodePoints(before, digest) >= 0) {
      throw new SelectError('POOL_INVALID', 'not sorted, or the same digest twice', { field });
    }
  });
}
