import { ObjectReader } from '../fields/index.ts';
import type { QuadTimes, SpeedPolicy } from '../speed/index.ts';

/** Nanoseconds by pair, quad and block (B, C, C, B'); the last quad may be unfinished if the run ended in it. */
export type BlockTimes = readonly (readonly (readonly number[])[])[];

/** A block never takes longer than this many nanoseconds: about 13 days. */
const BLOCK_MAX_NS = 2 ** 50;

/** blocks.json: raw, host-timed, integers of nanoseconds. */
export function blocksFile(times: BlockTimes): unknown {
  return { schema_version: 1, pairs: times };
}

/**
 * Reads blocks.json: a prefix of the policy's blocks in the order they run.
 * @throws FieldError
 */
export function parseBlocks(value: unknown, policy: SpeedPolicy): BlockTimes {
  const reader: ObjectReader = new ObjectReader(value, 'blocks', ['schema_version', 'pairs']);
  reader.literal('schema_version', 1);
  const pairs = reader.array('pairs', 0, policy.pairs);
  const times = pairs.map((pair) => {
    if (!Array.isArray(pair) || pair.length > policy.quads) reader.fail('FIELD_ARRAY', 'pairs');
    return pair.map((quad: unknown) => {
      if (!Array.isArray(quad) || quad.length > 4 || !quad.every(isTime)) reader.fail('FIELD_ARRAY', 'pairs');
      return quad as number[];
    });
  });
  const blocks = times.flat(2).length;
  // Only the last row of each level may be short, so the number of blocks fixes the shape.
  if (!sameShape(times, blocks, policy)) reader.fail('FIELD_ARRAY', 'pairs', 'a gap in the blocks');
  return times;
}

/** The times as complete quads, or null if the run did not finish them. */
export function completeQuads(times: BlockTimes, policy: SpeedPolicy): readonly (readonly QuadTimes[])[] | null {
  const isComplete = times.flat(2).length === policy.pairs * policy.quads * 4;
  return isComplete ? (times as unknown as readonly (readonly QuadTimes[])[]) : null;
}

function sameShape(times: BlockTimes, blocks: number, policy: SpeedPolicy): boolean {
  const perPair = policy.quads * 4;
  if (times.length !== Math.ceil(blocks / perPair)) return false;
  return times.every((pair, p) => {
    const here = Math.min(perPair, blocks - p * perPair);
    return pair.length === Math.ceil(here / 4) && pair.every((quad, q) => quad.length === Math.min(4, here - q * 4));
  });
}

function isTime(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= BLOCK_MAX_NS;
}
