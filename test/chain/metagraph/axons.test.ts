import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAxons, readMetagraph } from '../../../chain/metagraph/index.ts';
import { serveAxon } from '../../../chain/signer/index.ts';
import { NETUID, startTestChain } from '../devchain.ts';

test('a validator’s axon record is read back as the address it published', async (t) => {
  const test = await startTestChain(t, { block_time_ms: 100, validators: 2, miners: 1 });
  const signer = await test.signer('//Validator0');
  const axon = { netuid: NETUID, version: 1, ip: 0x01020304n, ipType: 4, port: 9740, protocol: 4 } as const;
  assert.equal((await serveAxon(signer, axon)).kind, 'finalized');
  const head = await test.chain.finalizedHead();
  const state = await test.chain.stateAt(head.hash);
  const axons = await readAxons(state, await readMetagraph(state, NETUID));
  assert.deepEqual(axons, [{ hotkey: signer.hotkey, address: '/ip4/1.2.3.4/tcp/9740' }]);
});
