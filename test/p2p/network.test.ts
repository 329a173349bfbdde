import assert from 'node:assert/strict';
import { test } from 'node:test';
import { join, knows, startNodes, stopNodes, untilHeard } from './support/nets.ts';
import { hotkey, nodeKey, signBinding, type TestNode, testNode, until } from './support/nodes.ts';

test('two nodes that dial each other at once keep one connection, and gossip flows both ways', async () => {
  for (let round = 0; round < 3; round++) {
    const nodes = await startNodes(['twin a', 'twin b']);
    const [a, b] = nodes as [TestNode, TestNode];
    try {
      await Promise.allSettled([a.network.dial(b.address()), b.network.dial(a.address())]);
      await until('connected', () => knows(a, b) && knows(b, a));
      await untilHeard(a, b);
      await untilHeard(b, a);
      const [seenByA, seenByB] = [a, b].map((node) => node.network.describeNetwork());
      assert.equal((seenByA?.peers.length ?? 0) + (seenByA?.unauthenticated ?? 0), 1);
      assert.equal((seenByB?.peers.length ?? 0) + (seenByB?.unauthenticated ?? 0), 1);
    } finally {
      await stopNodes(nodes);
    }
  }
});

test('a node that comes back is dialed again and heard again', async () => {
  const nodes = await startNodes(['stays', 'returns']);
  const [a, b] = nodes as [TestNode, TestNode];
  try {
    await join(a, b);
    await untilHeard(b, a);
    const address = b.address();
    await b.network.stop();
    await until('a notices', () => a.network.peers().length === 0);
    await b.network.start();
    assert.equal(b.address(), address, 'the port stays');
    await until('a is connected again', () => knows(a, b), 15_000);
    await untilHeard(a, b);
    await untilHeard(b, a);
  } finally {
    await stopNodes(nodes);
  }
});

test('who is no longer a member, and whose binding has expired, is cut off and does not come back', async () => {
  const nodes = await startNodes(['judge', 'leaves', 'expires']);
  const [judge, leaves, expires] = nodes as [TestNode, TestNode, TestNode];
  try {
    await join(judge, leaves);
    await join(judge, expires);
    judge.network.refreshMembership();
    assert.equal(judge.network.peers().length, 2);
    judge.members.delete(leaves.hotkey.address);
    judge.network.refreshMembership();
    assert.deepEqual(
      judge.network.peers().map((peer) => peer.hotkey),
      [expires.hotkey.address],
    );
    await until('the other side notices', () => leaves.network.peers().length === 0);
    await assert.rejects(leaves.network.dial(judge.address()), /AUTH_NOT_MEMBER/);
    judge.height = 1000;
    judge.network.refreshMembership();
    assert.equal(judge.network.peers().length, 0);
    await until('it notices too', () => expires.network.peers().length === 0);
    await assert.rejects(expires.network.dial(judge.address()), /AUTH_EXPIRED/);
    assert.equal(judge.network.describeNetwork().counters.peers_cut, 2);
  } finally {
    await stopNodes(nodes);
  }
});

test('a binding that is renewed while the node runs is the one of the next handshake', async () => {
  const owner = await hotkey('renews');
  const key = await nodeKey('renews');
  let own = signBinding(owner, key, { epoch: 1, expires_height: 150 });
  const deps = {
    get binding() {
      return own;
    },
  };
  const judge = await testNode('judge of renewal', { members: [owner.address] });
  const renews = await testNode('renews', { key, deps, members: [judge.hotkey.address] });
  const nodes = [judge, renews];
  try {
    for (const node of nodes) await node.network.start();
    await renews.network.dial(judge.address());
    judge.height = 160;
    judge.network.refreshMembership();
    await until('it is cut off', () => renews.network.peers().length === 0);
    await assert.rejects(renews.network.dial(judge.address()), /AUTH_EXPIRED/);
    own = signBinding(owner, key, { epoch: 2, expires_height: 900 });
    // By itself: whoever is cut off is dialed again.
    await until('they are connected again', () => knows(judge, renews) && knows(renews, judge), 15_000);
  } finally {
    await stopNodes(nodes);
  }
});

test('a new consensus object means new handshakes and a new topic on the same port', async () => {
  const nodes = await startNodes(['first', 'second']);
  const [a, b] = nodes as [TestNode, TestNode];
  const next = 'c1'.repeat(32);
  try {
    await join(a, b);
    const address = a.address();
    await a.network.setConsensusDigest(next);
    assert.equal(a.address(), address);
    await until('b has lost a', () => !knows(b, a));
    await assert.rejects(b.network.dial(a.address()), /AUTH_CONSENSUS|consensus/);
    await b.network.setConsensusDigest(next);
    await until('they meet again', () => knows(a, b) && knows(b, a), 15_000);
    await untilHeard(a, b);
    assert.equal(a.network.describeNetwork().topic, `/cacheon/1/${next}`);
  } finally {
    await stopNodes(nodes);
  }
});

test('addresses from the chain are dialed, for the hotkey the chain names', async () => {
  const nodes = await startNodes(['reader', 'listed', 'impostor']);
  const [reader, listed, impostor] = nodes as [TestNode, TestNode, TestNode];
  try {
    const port = (node: TestNode): string => `127.0.0.1:${node.address().split('/')[4]}`;
    reader.network.setKnownPeers([
      { hotkey: reader.hotkey.address, addresses: [port(reader)] },
      { hotkey: listed.hotkey.address, addresses: ['not an address', port(listed)] },
    ]);
    await until('the listed one is connected', () => knows(reader, listed));
    assert.equal(reader.network.describeNetwork().targets.filter((target) => target.connected).length >= 1, true);
    // The chain says `listed` is where in truth the impostor listens: whoever answers counts as who he proved to be.
    await listed.network.stop();
    await until('it is gone', () => !knows(reader, listed));
    reader.network.setKnownPeers([{ hotkey: listed.hotkey.address, addresses: [port(impostor)] }]);
    await until('the address is tried', () =>
      reader.network.describeNetwork().targets.some((target) => target.last_error === 'DIAL_FAILED'),
    );
    assert.ok(!knows(reader, listed));
  } finally {
    await stopNodes(nodes);
  }
});

test('start and stop can be repeated; a stopped network says so', async () => {
  const [node] = (await startNodes(['alone'])) as [TestNode];
  await node.network.start();
  assert.equal(node.network.describeNetwork().state, 'running');
  await assert.rejects(node.network.dial(node.address()), { code: 'DIAL_FAILED' });
  assert.equal((await node.network.publish(Buffer.from('nobody listens'))).recipients, 0);
  await Promise.all([node.network.stop(), node.network.stop()]);
  await node.network.stop();
  assert.equal(node.network.describeNetwork().state, 'stopped');
  assert.deepEqual(node.network.addresses(), []);
  for (const refused of [
    node.network.publish(Buffer.from('x')),
    node.network.fetchBlob('ab'.repeat(32)),
    node.network.ask([]),
    node.network.dial('127.0.0.1:1'),
  ]) {
    await assert.rejects(refused, { code: 'NETWORK_STOPPED' });
  }
});

test('addresses that no other host could use are refused unless private ones are allowed', async () => {
  const strict = { allowPrivateAddresses: false };
  await assert.rejects(testNode('n', { network: { ...strict, announce: ['/ip4/10.0.0.1/tcp/9740'] } }), {
    code: 'ADDRESS_PRIVATE',
  });
  await assert.rejects(testNode('n', { network: { ...strict, bootstrap: ['127.0.0.1:9740'] } }), {
    code: 'ADDRESS_PRIVATE',
  });
  await assert.rejects(testNode('n', { network: { announce: ['/ip4/0.0.0.0/tcp/9740'] } }), {
    code: 'ADDRESS_PRIVATE',
  });
  await assert.rejects(testNode('n', { network: { bootstrap: ['http://example.org'] } }), { code: 'ADDRESS_INVALID' });
  const node = await testNode('n', { network: { ...strict, announce: ['/dns4/node.example.org/tcp/9740'] } });
  await node.network.start();
  assert.deepEqual(node.network.describeNetwork().announced, ['/dns4/node.example.org/tcp/9740']);
  node.network.setKnownPeers([{ hotkey: node.hotkey.address, addresses: ['10.0.0.1:9740'] }]);
  assert.equal(node.network.describeNetwork().targets.length, 0);
  await node.network.stop();
});
