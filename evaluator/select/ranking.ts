import { canonicalDigest, compareCodePoints } from '../identity/index.ts';
import { commitmentDigest, type SelectionCommitment } from './commitment.ts';

/**
 * The prompts selected under qualification-selection.v1, sorted. The key's `secret` is the secret's commitment: that
 * is how the reference does it, and why v2 exists. (`protocol.md` section 10.)
 */
export function selectV1(commitment: SelectionCommitment, entropy: string): string[] {
  const digest = commitmentDigest(commitment);
  return rankBy(commitment, (prompt_digest) =>
    canonicalDigest('cacheon.qualification.selection-key', {
      commitment_digest: digest,
      post_commit_entropy_digest: entropy,
      prompt_digest,
      secret: commitment.secret_commitment,
    }),
  );
}

/** The prompts selected under qualification-selection.v2, sorted; the seed holds secret and chain entropy. */
export function selectV2(commitment: SelectionCommitment, seed: string): string[] {
  return rankBy(commitment, (prompt_digest) =>
    canonicalDigest('cacheon.qualification.selection-key.v2', { prompt_digest, seed }),
  );
}

function rankBy(commitment: SelectionCommitment, key: (promptDigest: string) => string): string[] {
  return commitment.prompt_digests
    .map((digest) => ({ digest, key: key(digest) }))
    .sort((a, b) => compareCodePoints(a.key, b.key))
    .slice(0, commitment.select_count)
    .map((row) => row.digest)
    .sort(compareCodePoints);
}
