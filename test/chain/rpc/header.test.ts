import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChainError } from '../../../chain/errors.ts';
import { parseHeader } from '../../../chain/rpc/header.ts';
import { startTestChain } from '../devchain.ts';

const code = (expected: string) => (error: unknown) => error instanceof ChainError && error.code === expected;

test('a header is taken only if it hashes to what was asked for', async (t) => {
  const { chain, produce } = await startTestChain(t);
  const hash = produce(3);
  const value = (await chain.rpc.call('chain_getHeader', [hash])) as Record<string, unknown>;
  const head = parseHeader(value, hash);
  assert.equal(head.height, 3);
  assert.equal(head.hash, hash);
  assert.deepEqual(await chain.header(hash), head);
  assert.throws(() => parseHeader({ ...value, number: '0x4' }, hash), code('HEADER_MISMATCH'));
  assert.throws(() => parseHeader({ ...value, parentHash: hash }, hash), code('HEADER_MISMATCH'));
  const malformed: readonly Record<string, unknown>[] = [
    { number: 3 },
    { number: '0xffffffffffffff' },
    { parentHash: '0x00' },
    { stateRoot: null },
    { extrinsicsRoot: `0x${'G'.repeat(64)}` },
    { digest: { logs: ['0x0'] } },
    { digest: { logs: Array.from({ length: 65 }, () => '0x') } },
  ];
  for (const change of malformed) {
    assert.throws(() => parseHeader({ ...value, ...change }, hash), code('RPC_MALFORMED'), JSON.stringify(change));
  }
});

test('a block nobody has is BLOCK_UNKNOWN', async (t) => {
  const { chain } = await startTestChain(t);
  await assert.rejects(chain.header(`0x${'ab'.repeat(32)}`), code('BLOCK_UNKNOWN'));
});
