import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChainError } from '../../../chain/errors.ts';
import { chainOver, type RpcClient } from '../../../chain/rpc/index.ts';
import { RUNTIMES_KEPT } from '../../../chain/rpc/limits.ts';
import { Runtimes } from '../../../chain/rpc/runtimes.ts';
import { startTestChain } from '../devchain.ts';

const hashOf = (height: number) => `0x${height.toString(16).padStart(64, '0')}`;

/** A chain whose every block has a runtime version of its own, all with one metadata. */
function upgrading(metadata: unknown, asked: string[]) {
  return {
    call: async (method: string, params: readonly unknown[]): Promise<unknown> => {
      asked.push(`${method} ${params.at(-1)}`);
      if (method === 'state_getMetadata') return metadata;
      if (method === 'state_queryStorageAt') {
        const [keys, block] = params as [string[], string];
        return [{ block, changes: keys.map((key) => [key, null]) }];
      }
      return { specName: 'node-subtensor', specVersion: Number(params[0]), transactionVersion: 1 };
    },
  };
}

test('a bounded number of runtimes is kept, each is built once, and versions are asked once a block', async (t) => {
  const { chain } = await startTestChain(t, { validators: 1, miners: 0 });
  const asked: string[] = [];
  const runtimes = new Runtimes(upgrading(await chain.rpc.call('state_getMetadata', []), asked));
  const [one, same] = await Promise.all([runtimes.at(hashOf(1)), runtimes.at(hashOf(1))]);
  assert.equal(one, same);
  assert.equal(asked.filter((call) => call.startsWith('state_getMetadata')).length, 1);
  for (let height = 2; height <= RUNTIMES_KEPT + 2; height += 1) {
    assert.equal((await runtimes.at(hashOf(height))).version.specVersion, height);
    assert.ok(runtimes.kept <= RUNTIMES_KEPT);
  }
  const before = asked.length;
  await runtimes.at(hashOf(RUNTIMES_KEPT + 2));
  assert.equal(asked.length, before);
  assert.notEqual(await runtimes.at(hashOf(1)), one, 'the oldest was let go');
});

test('a runtime that could not be had is asked for again', async (t) => {
  const { chain } = await startTestChain(t, { validators: 1, miners: 0 });
  const good = upgrading(await chain.rpc.call('state_getMetadata', []), []);
  let failing = true;
  const runtimes = new Runtimes({
    call: async (method, params) => {
      if (failing && method === 'state_getMetadata') throw new ChainError('TRANSPORT');
      return good.call(method, params);
    },
  });
  await assert.rejects(runtimes.at(hashOf(1)), { code: 'TRANSPORT' });
  failing = false;
  assert.equal((await runtimes.at(hashOf(1))).version.specVersion, 1);
});

test('storage is decoded with the runtime of its block, events with that of the parent', async (t) => {
  const { chain } = await startTestChain(t, { validators: 1, miners: 0 });
  const asked: string[] = [];
  const rpc = upgrading(await chain.rpc.call('state_getMetadata', []), asked) as unknown as RpcClient;
  const versions = () => asked.filter((call) => call.startsWith('state_getRuntimeVersion'));
  const head = { height: 7, hash: hashOf(7), parentHash: hashOf(6) };
  await chainOver(rpc).eventsOf(head);
  assert.deepEqual(versions(), [`state_getRuntimeVersion ${head.parentHash}`]);
  asked.length = 0;
  assert.equal((await chainOver(rpc).stateAt(head.hash)).runtime.version.specVersion, 7);
  assert.deepEqual(versions(), [`state_getRuntimeVersion ${head.hash}`]);
});

test('answers that are no version or no metadata are RPC_MALFORMED', async () => {
  const version = { specName: 'x', specVersion: 1, transactionVersion: 1 };
  const answers: readonly [unknown, unknown][] = [
    [null, '0x'],
    [{ ...version, specVersion: '1' }, '0x'],
    [{ ...version, specVersion: -1 }, '0x'],
    [{ ...version, transactionVersion: 1.5 }, '0x'],
    [{ ...version, specName: 'x'.repeat(65) }, '0x'],
    [version, null],
    [version, 'metadata'],
    [version, `0x${'00'.repeat(8 * 1024 * 1024 + 1)}`],
  ];
  for (const [runtimeVersion, metadata] of answers) {
    const runtimes = new Runtimes({
      call: async (method) => (method === 'state_getMetadata' ? metadata : runtimeVersion),
    });
    await assert.rejects(runtimes.at(hashOf(1)), { code: 'RPC_MALFORMED' });
  }
});
