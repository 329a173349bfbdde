/** Finalized blocks the fold may be behind the head while duties are still done. */
const AT_HEAD_BLOCKS = 1;

/**
 * Where the fold stands against the chain. `unknown`: no finalized head has been seen by this process. `ahead`: the chain
 * has not come to the activation height yet. Duties are done `at_head` alone: earlier states ask for what is over.
 * @param finalized newest finalized height seen, null before the first
 * @param folded last height that the fold has stepped
 */
export function standing(finalized: number | null, folded: number): 'unknown' | 'ahead' | 'at_head' | 'behind' {
  if (finalized === null) return 'unknown';
  if (finalized < folded) return 'ahead';
  return finalized - folded <= AT_HEAD_BLOCKS ? 'at_head' : 'behind';
}
