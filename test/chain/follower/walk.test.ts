import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChainError } from '../../../chain/errors.ts';
import { WALK_BLOCKS } from '../../../chain/follower/index.ts';
import { nextSegment } from '../../../chain/follower/walk.ts';
import type { FinalizedHead } from '../../../chain/rpc/index.ts';

const hashOf = (height: number, fork = '') => `${fork}${height}`;
const block = (height: number): FinalizedHead => ({
  height,
  hash: hashOf(height),
  parentHash: hashOf(height - 1),
});
const signal = new AbortController().signal;
const code = (expected: string) => (error: unknown) => error instanceof ChainError && error.code === expected;

/** A chain of one branch that counts the headers asked for. */
function line() {
  const asked: string[] = [];
  return {
    asked,
    header: async (hash: string) => {
      asked.push(hash);
      return block(Number(hash));
    },
    blockHash: async (height: number): Promise<string | null> => hashOf(height),
  };
}

test('a gap is walked in bounded pieces that join', async () => {
  const chain = line();
  const head = block(3 * WALK_BLOCKS + 7);
  let cursor = { height: 4, hash: hashOf(4) };
  const seen: number[] = [];
  while (cursor.height < head.height) {
    const segment = await nextSegment(chain, cursor, head, signal);
    assert.ok(segment.length <= WALK_BLOCKS);
    seen.push(...segment.map(({ height }) => height));
    cursor = segment.at(-1) as FinalizedHead;
  }
  assert.deepEqual(
    seen,
    Array.from({ length: head.height - 4 }, (_, i) => i + 5),
  );
  assert.ok(chain.asked.length <= seen.length);
});

test('the piece has to join the cursor', async () => {
  await assert.rejects(
    nextSegment(line(), { height: 4, hash: hashOf(4, 'f') }, block(6), signal),
    code('FINALITY_CONFLICT'),
  );
});

test('a parent of the wrong height, a lying or an unknown canonical hash', async () => {
  const skipping = { ...line(), header: async (hash: string) => ({ ...block(Number(hash)), height: 2 }) };
  await assert.rejects(
    nextSegment(skipping, { height: 4, hash: hashOf(4) }, block(7), signal),
    code('FINALITY_CONFLICT'),
  );
  const far = block(WALK_BLOCKS + 100);
  const lying = { ...line(), blockHash: async () => hashOf(3) };
  await assert.rejects(nextSegment(lying, { height: 4, hash: hashOf(4) }, far, signal), code('RPC_MALFORMED'));
  const behind = { ...line(), blockHash: async () => null };
  await assert.rejects(nextSegment(behind, { height: 4, hash: hashOf(4) }, far, signal), code('BLOCK_UNKNOWN'));
});
