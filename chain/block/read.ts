import type { FoldBlock } from '../../evaluator/peer/types.ts';
import { readAnchors } from '../anchors/index.ts';
import { readMetagraph, subnetState } from '../metagraph/index.ts';
import { readProposals } from '../proposals/index.ts';
import type { Chain, FinalizedHead } from '../rpc/index.ts';

export interface ReadBlockOptions {
  readonly netuid: number;
  /** Whether the fold looks at the state of this height; reading it costs three round trips more. */
  readonly withState: boolean;
}

/**
 * One finalized block as the fold takes it, everything read at its own hash but `committed`, which is the parent's.
 * RUNTIME_UNKNOWN, REVEAL_MISMATCH, ARCHIVE_NEEDED (operator); transport errors are the caller's to retry.
 */
export async function readFoldBlock(
  chain: Chain,
  head: FinalizedHead,
  { netuid, withState }: ReadBlockOptions,
  signal?: AbortSignal,
): Promise<FoldBlock> {
  const { height, hash, parentHash } = head;
  const events = await chain.eventsOf(head, signal);
  const state = await chain.stateAt(hash, signal);
  const parent = () => chain.stateAt(parentHash, signal);
  return {
    height,
    hash,
    anchors: await readAnchors(state, events, netuid, signal),
    proposals: await readProposals({ netuid, height, events, state, parent }, signal),
    state: withState ? subnetState(await readMetagraph(state, netuid, signal)) : null,
  };
}
