import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ChainError, type ChainErrorCode } from '../../../chain/errors.ts';
import { connectRpc, type RpcEvent, type RpcOptions } from '../../../chain/rpc/client.ts';
import { TEST_DEADLINES, until } from '../devchain.ts';
import { fakeServer, GENESIS, OTHER_GENESIS } from './server.ts';

const code = (expected: ChainErrorCode) => (error: unknown) => error instanceof ChainError && error.code === expected;

async function connect(t: TestContext, options: Partial<RpcOptions> & Pick<RpcOptions, 'endpoints'>) {
  const events: RpcEvent[] = [];
  const client = await connectRpc(
    { genesisHash: GENESIS, ...options, deadlines: { ...TEST_DEADLINES, ...options.deadlines } },
    { random: () => 0.5, onEvent: (event) => events.push(event) },
  );
  t.after(() => client.close());
  return { client, events };
}

test('the genesis of the first connection is the pin where none is given', async (t) => {
  let genesis = GENESIS;
  const server = await fakeServer(t, { chain_getBlockHash: () => ({ result: genesis }) });
  const { client, events } = await connect(t, { endpoints: [server.url], genesisHash: null });
  assert.equal(client.genesisHash, GENESIS);
  genesis = OTHER_GENESIS;
  server.drop();
  await until(() => client.health().failed !== null, 'the other chain is noticed');
  assert.equal(client.health().failed?.code, 'WRONG_GENESIS');
  assert.equal(client.health().failed?.fault, 'operator');
  assert.equal(events.at(-1)?.kind, 'failed');
  await assert.rejects(client.call('system_name', []), code('WRONG_GENESIS'));
});

test('another chain at the first connection is refused', async (t) => {
  const server = await fakeServer(t, { chain_getBlockHash: () => ({ result: OTHER_GENESIS }) });
  await assert.rejects(connect(t, { endpoints: [server.url] }), code('WRONG_GENESIS'));
});

test('a read is repeated over a dropped socket, on the next endpoint', async (t) => {
  const first = await fakeServer(t, { system_name: () => 'silence' });
  const second = await fakeServer(t, { system_name: () => ({ result: 'second' }) });
  const { client, events } = await connect(t, { endpoints: [first.url, second.url] });
  const answer = client.call('system_name', []);
  await until(() => first.calls('system_name') === 1, 'the call arrives');
  first.drop();
  assert.equal(await answer, 'second');
  assert.equal(events[1]?.kind, 'disconnected');
});

test('an endpoint that is connected and never answers is replaced', async (t) => {
  const mute = await fakeServer(t, { system_name: () => 'silence' });
  const good = await fakeServer(t, { system_name: () => ({ result: 'good' }) });
  const { client } = await connect(t, { endpoints: [mute.url, good.url], deadlines: { callMs: 100 } });
  assert.equal(await client.call('system_name', []), 'good');
  assert.equal(client.health().connections, 2);
});

test('an endpoint that is mute from the start is passed over', async (t) => {
  const mute = await fakeServer(t, { chain_getBlockHash: () => 'silence' });
  const good = await fakeServer(t);
  const { client } = await connect(t, { endpoints: [mute.url, good.url], deadlines: { connectMs: 100 } });
  assert.equal(client.health().endpoint, good.url);
});

test('what must not be repeated is not', async (t) => {
  const server = await fakeServer(t, { author_submitExtrinsic: () => 'silence' });
  const { client } = await connect(t, { endpoints: [server.url] });
  const answer = client.callOnce('author_submitExtrinsic', ['0x00']);
  await until(() => server.calls('author_submitExtrinsic') === 1, 'the call arrives');
  server.drop();
  await assert.rejects(answer, code('TRANSPORT'));
  await until(() => client.health().connections === 2, 'reconnected');
  assert.equal(server.calls('author_submitExtrinsic'), 1);
});

const pruned = () => ({
  error: { code: 4003, message: 'Client error: UnknownBlock: State already discarded for 0xab' },
});

test('pruned state is asked of every endpoint, then ARCHIVE_NEEDED', async (t) => {
  const a = await fakeServer(t, { state_getStorage: pruned });
  const b = await fakeServer(t, { state_getStorage: pruned });
  const archive = await fakeServer(t, { state_getStorage: () => ({ result: '0x01' }) });
  const with_archive = await connect(t, { endpoints: [a.url, b.url, archive.url] });
  assert.equal(await with_archive.client.call('state_getStorage', ['0x']), '0x01');
  const without = await connect(t, { endpoints: [a.url, b.url] });
  await assert.rejects(without.client.call('state_getStorage', ['0x']), code('ARCHIVE_NEEDED'));
});

test('a block that an endpoint does not know is not taken for pruned', async (t) => {
  const error = { code: 4003, message: 'Client error: UnknownBlock: Header was not found in the database: 0xab' };
  const server = await fakeServer(t, { state_getStorage: () => ({ error }) });
  const { client } = await connect(t, { endpoints: [server.url] });
  await assert.rejects(client.call('state_getStorage', ['0x']), code('BLOCK_UNKNOWN'));
});

test('a refusal is not repeated and keeps its code', async (t) => {
  const error = { code: 1010, message: 'Invalid Transaction', data: 'Transaction is outdated\n\u001b[31m' };
  const server = await fakeServer(t, { author_submitExtrinsic: () => ({ error }) });
  const { client } = await connect(t, { endpoints: [server.url] });
  await assert.rejects(
    client.call('author_submitExtrinsic', []),
    (thrown) => code('RPC_REFUSED')(thrown) && /^[^\u001b\n]*1010 .*outdated/.test((thrown as Error).message),
  );
  assert.equal(server.calls('author_submitExtrinsic'), 1);
});

test('bytes that are not JSON-RPC end the connection, not the client', async (t) => {
  const server = await fakeServer(t, { system_name: () => ({ result: 'still here' }) });
  const { client } = await connect(t, { endpoints: [server.url] });
  server.broadcast('{"jsonrpc":');
  await until(() => client.health().connections === 2, 'reconnected');
  assert.equal(await client.call('system_name', []), 'still here');
});

test('a call ends with its signal', async (t) => {
  const server = await fakeServer(t, { system_name: () => 'silence' });
  const { client } = await connect(t, { endpoints: [server.url] });
  const stop = new AbortController();
  const answer = client.call('system_name', [], { signal: stop.signal });
  const why = new Error('enough');
  stop.abort(why);
  await assert.rejects(answer, why);
});

test('no endpoint: CALL_DEADLINE names the last error; closing ends what waits', async (t) => {
  const gone = await fakeServer(t, { chain_getBlockHash: () => 'silence' });
  const deadlines = { connectMs: 30, readMs: 200 };
  await assert.rejects(connect(t, { endpoints: [gone.url], deadlines }), code('CALL_DEADLINE'));
  const server = await fakeServer(t, { system_name: () => 'silence' });
  const { client } = await connect(t, { endpoints: [server.url] });
  const answer = assert.rejects(client.call('system_name', []), code('TRANSPORT'));
  await client.close();
  await answer;
});

test('endpoint URLs are checked, and never shown beyond scheme and host', async (t) => {
  for (const endpoints of [[], ['http://127.0.0.1'], ['not a url'], ['ws://ok', 'ftp://secret:pw@x']]) {
    await assert.rejects(
      connect(t, { endpoints }),
      (error) => code('ENDPOINT_MALFORMED')(error) && !(error as Error).message.includes('secret'),
    );
  }
  const server = await fakeServer(t);
  const url = server.url.replace('ws://', 'ws://user:secret@');
  const { client, events } = await connect(t, { endpoints: [`${url}/key-secret?token=secret`] });
  server.drop();
  await until(() => client.health().connections === 2, 'reconnected');
  assert.equal(client.health().endpoint, server.url);
  assert.doesNotMatch(JSON.stringify(events) + String((events[1] as { error: Error }).error), /secret/);
});
