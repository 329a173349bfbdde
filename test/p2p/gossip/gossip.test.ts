import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gossipTopic } from '../../../p2p/gossip/create.ts';
import { ANNOUNCEMENT_MAX_BYTES } from '../../../p2p/index.ts';
import { GOSSIP_RPC_MAX_BYTES } from '../../../p2p/limits.ts';
import { authenticate, connect, gossipAttacker } from '../support/attacker.ts';
import { join, startNodes, stopNodes, untilHeard } from '../support/nets.ts';
import { CONSENSUS, hotkey, nodeKey, signBinding, type TestNode, until } from '../support/nodes.ts';

let nodes: TestNode[] = [];
let a: TestNode;
let b: TestNode;
let c: TestNode;

before(async () => {
  nodes = await startNodes(['left', 'middle', 'right']);
  [a, b, c] = nodes as [TestNode, TestNode, TestNode];
  await join(a, b);
  await join(b, c);
});
after(() => stopNodes(nodes));

test('three nodes in a line hear each other; who forwarded is named, not who wrote', async () => {
  await untilHeard(a, c);
  await untilHeard(c, a);
  await untilHeard(b, a);
  assert.equal(c.network.peers().length, 1);
  assert.ok(c.heard.every(({ from }) => from.hotkey === b.hotkey.address && from.peerId === b.key.peerId));
});

test('too large an announcement is refused before it is sent, so nobody goes deaf to its publisher', async () => {
  await untilHeard(a, b);
  await assert.rejects(a.network.publish(Buffer.alloc(ANNOUNCEMENT_MAX_BYTES + 1)), {
    code: 'ANNOUNCEMENT_TOO_LARGE',
  });
  const largest = Buffer.alloc(ANNOUNCEMENT_MAX_BYTES, 'x');
  assert.equal((await a.network.publish(largest)).recipients, 1);
  await until('the largest allowed one arrives', () => c.heard.some(({ text }) => text.length === largest.length));
  await untilHeard(a, b);
});

test('what the validator ignores or rejects is neither delivered nor forwarded; rejecting costs score', async () => {
  const before = c.heard.length;
  const { counters } = b.network.describeNetwork();
  b.verdict = 'ignore';
  await a.network.publish(Buffer.from('ignored'));
  await until('b ignores it', () => b.network.describeNetwork().counters.gossip_ignored > counters.gossip_ignored);
  b.verdict = 'reject';
  await a.network.publish(Buffer.from('rejected'));
  await until('b rejects it', () => b.network.describeNetwork().counters.gossip_rejected > counters.gossip_rejected);
  b.verdict = 'accept';
  await untilHeard(a, c);
  assert.ok(!b.heard.some(({ text }) => text === 'ignored' || text === 'rejected'));
  assert.ok(!c.heard.slice(before).some(({ text }) => text === 'ignored' || text === 'rejected'));
  const score = b.network.peers().find((peer) => peer.hotkey === a.hotkey.address)?.score as number;
  assert.equal(Math.round(score), -10);
});

test('a handler can leave, and one that throws does not disturb the others', async () => {
  let heard = 0;
  const leave = b.network.onAnnouncement(() => {
    heard += 1;
    throw new Error('handler');
  });
  await untilHeard(a, b);
  assert.ok(heard > 0);
  leave();
  const then = heard;
  await untilHeard(a, b);
  assert.equal(heard, then);
});

test('a peer whose gossip stream has ended while its connection stays is cut and dialed again', async () => {
  const [victim] = (await startNodes(['victim'], { muteAfterMs: 300 })) as [TestNode];
  const own = await hotkey('mute');
  const key = await nodeKey('mute');
  victim.members.add(own.address);
  const host = await gossipAttacker(key);
  try {
    const topic = gossipTopic(CONSENSUS);
    host.services.pubsub.subscribe(topic);
    const connection = await connect(host, victim.address());
    await authenticate(connection, key, signBinding(own, key), {
      addresses: host.getMultiaddrs().map((address) => address.toString()),
    });
    await until('gossip of the peer is heard', () => {
      void host.services.pubsub.publish(topic, Buffer.from(`hello ${Math.random()}`));
      return victim.heard.length > 0;
    });
    const dials = victim.network.describeNetwork().counters.dials;
    // One RPC over the bound: the library ends the stream, and neither side would ever open another.
    await host.services.pubsub.publish(topic, Buffer.alloc(GOSSIP_RPC_MAX_BYTES + 1));
    await until('the watchdog has cut the mute peer', () => connection.status !== 'open');
    await until('and dials it', () => victim.network.describeNetwork().counters.dials > dials);
    assert.equal(victim.network.describeNetwork().counters.gossip_healed, 1);
  } finally {
    await Promise.all([host.stop(), victim.network.stop()]);
  }
});
