import { ChainError } from '../errors.ts';
import type { Chain, FinalizedHead } from '../rpc/index.ts';
import { WALK_BLOCKS } from './limits.ts';

/** The last block that was taken; a null hash takes whatever block follows the height. */
export interface Cursor {
  readonly height: number;
  readonly hash: string | null;
}

/**
 * The next blocks above the cursor, at most `WALK_BLOCKS`, ascending without a gap up to `head` or a block below it.
 * Every one is found by the parent hash of the one above it, and the lowest names the cursor's hash as its parent;
 * FINALITY_CONFLICT if it names another.
 */
export async function nextSegment(
  chain: Pick<Chain, 'header' | 'blockHash'>,
  cursor: Cursor,
  head: FinalizedHead,
  signal: AbortSignal,
): Promise<readonly FinalizedHead[]> {
  const top = Math.min(head.height, cursor.height + WALK_BLOCKS);
  const segment: FinalizedHead[] = [];
  let block = top === head.height ? head : await blockAt(chain, top, signal);
  segment.push(block);
  while (block.height > cursor.height + 1) {
    const parent: FinalizedHead = await chain.header(block.parentHash, signal);
    if (parent.height !== block.height - 1) {
      throw new ChainError('FINALITY_CONFLICT', `the parent of height ${block.height} has height ${parent.height}`);
    }
    block = parent;
    segment.push(block);
  }
  if (cursor.hash !== null && block.parentHash !== cursor.hash) {
    throw new ChainError(
      'FINALITY_CONFLICT',
      `height ${cursor.height} was taken as ${cursor.hash}, the finalized chain has ${block.parentHash}`,
    );
  }
  return segment.reverse();
}

async function blockAt(
  chain: Pick<Chain, 'header' | 'blockHash'>,
  height: number,
  signal: AbortSignal,
): Promise<FinalizedHead> {
  const hash = await chain.blockHash(height, signal);
  if (hash === null) throw new ChainError('BLOCK_UNKNOWN', undefined, { field: `height ${height}` });
  const block = await chain.header(hash, signal);
  if (block.height !== height) throw new ChainError('RPC_MALFORMED', undefined, { field: 'chain_getBlockHash' });
  return block;
}
