import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { IdentifyResult } from '@libp2p/interface';
import { gossipTopic } from '../../../p2p/gossip/create.ts';
import { nodeKeyFromSeed } from '../../../p2p/index.ts';
import { attacker, authenticate, connect, ended, gossipAttacker, gossipRpc, open } from '../support/attacker.ts';
import { CONSENSUS, hotkey, nodeKey, signBinding, type TestNode, testNode, until } from '../support/nodes.ts';

const running: { stop(): Promise<void> | void }[] = [];
after(async () => {
  await Promise.all(running.map((node) => node.stop()));
});

const MEMBERS = await Promise.all(['honest', 'other', 'third'].map(async (name) => (await hotkey(name)).address));

async function started(name: string, limits: object = {}): Promise<TestNode> {
  const node = await testNode(name, { members: MEMBERS, network: { limits } });
  await node.network.start();
  running.push(node.network);
  return node;
}

/** Handled by the libraries: identify answers anybody, gossip waits for authentication (next test). */
const LIBRARIES = ['/ipfs/id/1.0.0', '/meshsub/1.0.0', '/meshsub/1.1.0', '/meshsub/1.2.0'];
const OURS = ['/cacheon/auth/1.0.0', '/cacheon/blob/1.0.0', '/cacheon/want/1.0.0'];

test('every registered protocol but authentication refuses a connection that has not authenticated', async () => {
  const a = await started('honest', { authTimeoutMs: 5_000 });
  const blob = a.blobs.add(Buffer.from('secret'));
  const host = await gossipAttacker(await nodeKeyFromSeed(new Uint8Array(32).fill(9)));
  running.push(host);
  const identified = new Promise<IdentifyResult>((resolve) => {
    host.addEventListener('peer:identify', (event) => resolve(event.detail), { once: true });
  });
  const connection = await connect(host, a.address());
  const { protocols } = await identified;
  assert.deepEqual([...protocols].sort(), [...LIBRARIES, ...OURS].sort());
  for (const protocol of OURS.slice(1)) {
    const asking = async (): Promise<unknown> => {
      const wire = await open(connection, protocol);
      wire.writeFrame(protocol.includes('blob') ? { digest: blob, offset: 0 } : { digests: [blob] });
      return wire.readFrame(AbortSignal.timeout(5_000));
    };
    await assert.rejects(asking(), /ended early/);
  }
  assert.equal(a.blobs.reads.length, 0);
  assert.ok(a.network.describeNetwork().counters.guard_refused >= 2);
});

test('gossip of a peer that has not authenticated is neither delivered nor forwarded, nor does it spoil the message', async () => {
  const a = await started('honest', { authTimeoutMs: 1_500, muteAfterMs: 60_000 });
  const b = await started('other', { muteAfterMs: 60_000 });
  await a.network.dial(b.address());
  const host = await attacker(await nodeKey('third'));
  running.push(host);
  const connection = await connect(host, a.address());
  const message = Buffer.from('from a stranger');
  const wire = await open(connection, '/meshsub/1.1.0');
  wire.write(gossipRpc(gossipTopic(CONSENSUS), message));
  await ended(connection);
  assert.deepEqual([a.heard, b.heard], [[], []]);

  // The very same bytes of a member arrive everywhere: the stranger's copy left no trace.
  await until('b hears it', () => {
    void a.network.publish(message);
    return b.heard.length > 0;
  });
  assert.equal(b.heard[0]?.text, 'from a stranger');
});

test('gossip sent before authentication has ended waits, and is then heard', async () => {
  const a = await started('honest', { muteAfterMs: 60_000 });
  const own = await hotkey('third');
  const key = await nodeKey('third');
  const host = await attacker(key);
  running.push(host);
  const connection = await connect(host, a.address());
  const wire = await open(connection, '/meshsub/1.1.0');
  wire.write(gossipRpc(gossipTopic(CONSENSUS), Buffer.from('too early')));
  await authenticate(connection, key, signBinding(own, key));
  await until('a hears it', () => a.heard.length > 0);
  assert.deepEqual(a.heard, [{ text: 'too early', from: { peerId: key.peerId, hotkey: own.address } }]);
});

test('a peer that asks too fast is refused, and finally banned', async () => {
  const a = await started('honest', { requestBurst: 3, requestsPerMinute: 1, muteAfterMs: 60_000 });
  const own = await hotkey('other');
  const key = await nodeKey('other');
  const host = await attacker(key);
  running.push(host);
  const connection = await connect(host, a.address());
  await authenticate(connection, key, signBinding(own, key));
  const signal = AbortSignal.timeout(15_000);
  let answered = 0;
  let refused = 0;
  while (connection.status === 'open') {
    try {
      const wire = await open(connection, '/cacheon/want/1.0.0');
      wire.writeFrame({ digests: [] });
      await wire.readFrame(signal);
      answered += 1;
      await wire.close(signal);
    } catch {
      refused += 1;
    }
  }
  assert.equal(answered, 3);
  assert.ok(refused >= 40, `${refused} refusals`);
  assert.equal(a.network.describeNetwork().counters.peers_banned, 1);
  const again = await connect(host, a.address());
  await assert.rejects(authenticate(again, key, signBinding(own, key)), /AUTH_BANNED/);
});

test('more streams at once than a peer may have are refused', async () => {
  const a = await started('honest', { muteAfterMs: 60_000, streamsPerPeer: 4 });
  const own = await hotkey('other');
  const key = await nodeKey('other');
  const host = await attacker(key);
  running.push(host);
  const connection = await connect(host, a.address());
  await authenticate(connection, key, signBinding(own, key));
  const wires = await Promise.all(Array.from({ length: 6 }, () => open(connection, '/cacheon/blob/1.0.0')));
  const signal = AbortSignal.timeout(5_000);
  const answers = await Promise.allSettled(
    wires.map(async (wire) => {
      wire.writeFrame({ digest: '01'.repeat(32), offset: 0 });
      return wire.readFrame(signal);
    }),
  );
  assert.equal(answers.filter((answer) => answer.status === 'fulfilled').length, 4);
});
