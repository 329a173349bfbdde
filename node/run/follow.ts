import { readFoldBlock } from '../../chain/block/index.ts';
import { ChainError } from '../../chain/errors.ts';
import type { Follower } from '../../chain/follower/index.ts';
import { type Metagraph, readMetagraph } from '../../chain/metagraph/index.ts';
import type { Chain, FinalizedHead } from '../../chain/rpc/index.ts';
import { type FoldBlock, needsOwner, needsState } from '../../evaluator/peer/index.ts';
import type { Applied, Applier } from './apply/index.ts';
import { RunError } from './errors.ts';

/** Pause before a read that failed, or a block that had to wait, is tried again, milliseconds. */
const RETRY_MS = 1000;

export interface FollowDependencies {
  readonly chain: Chain;
  readonly follower: Follower;
  readonly applier: Applier;
  readonly netuid: number;
  /** The metagraph of a height that is or may become an epoch height, before the block is applied. */
  readonly onMetagraph: (height: number, metagraph: Metagraph) => void;
  /** After every block that was applied. */
  readonly onApplied: (block: FoldBlock) => void;
  /** A block that cannot be applied yet; asked again after a pause or as soon as `wake` resolves. */
  readonly onHeldUp: (held: Exclude<Applied, { kind: 'applied' }>) => void;
  readonly onRetry: (error: ChainError) => void;
  /** Resolves when something that a held-up block may wait for has changed. */
  readonly changed: () => Promise<void>;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Takes every finalized block in order: reads it, steps the fold, and goes on only when the step is durable. Runs until
 * the signal fires; operator errors end it.
 */
export async function followChain(dependencies: FollowDependencies, signal: AbortSignal): Promise<never> {
  for await (const head of dependencies.follower.heads(signal)) {
    const block = await readUntilDone(head, dependencies, signal);
    for (;;) {
      const result = dependencies.applier.apply(block);
      if (result.kind === 'applied') break;
      if (result.kind === 'restart') throw new RunError('RESTART_ORDERED', undefined, { field: result.record });
      dependencies.onHeldUp(result);
      await Promise.race([dependencies.sleep(RETRY_MS, signal), dependencies.changed()]);
      signal.throwIfAborted();
    }
    dependencies.onApplied(block);
  }
  throw signal.reason;
}

async function readUntilDone(head: FinalizedHead, deps: FollowDependencies, signal: AbortSignal): Promise<FoldBlock> {
  for (;;) {
    try {
      return await readOnce(head, deps, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof ChainError) || error.fault !== 'infrastructure') throw error;
      deps.onRetry(error);
      // Another endpoint may have what this one lacks.
      deps.chain.rpc.rotate();
      await deps.sleep(RETRY_MS, signal);
    }
  }
}

async function readOnce(head: FinalizedHead, deps: FollowDependencies, signal: AbortSignal): Promise<FoldBlock> {
  const { chain, netuid, applier } = deps;
  const { state } = applier;
  const withState = needsState(state, head.height);
  // At a height that needs state another object may come to rule, with other epochs.
  if (withState || head.height % state.consensus.epoch_blocks === 0) {
    const at = await chain.stateAt(head.hash, signal);
    deps.onMetagraph(head.height, await readMetagraph(at, netuid, signal));
  }
  const block = await readFoldBlock(chain, head, { netuid, withState }, signal);
  if (withState || !needsOwner(block.anchors)) return block;
  // A policy anchor: whose it is stands in the state.
  return readFoldBlock(chain, head, { netuid, withState: true }, signal);
}
