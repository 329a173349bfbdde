import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { BLOB_PROTOCOL } from '../../../p2p/blob/messages.ts';
import { BLOB_CHUNK_BYTES } from '../../../p2p/index.ts';
import { FRAME_MAX_BYTES } from '../../../p2p/limits.ts';
import { encodeFrame, WireStream } from '../../../p2p/wire/wire-stream.ts';
import { attacker, authenticate, connect } from '../support/attacker.ts';
import { join, startNodes, stopNodes } from '../support/nets.ts';
import { hotkey, nodeKey, sha256, signBinding, type TestNode, until } from '../support/nodes.ts';

const LIMITS = { streamsPerPeer: 4, muteAfterMs: 600_000 };
let nodes: TestNode[] = [];
let asker: TestNode;
let one: TestNode;
let two: TestNode;

before(async () => {
  nodes = await startNodes(['asker', 'one', 'two'], LIMITS);
  [asker, one, two] = nodes as [TestNode, TestNode, TestNode];
  await join(asker, one);
  await join(asker, two);
});
after(() => stopNodes(nodes));

function reset(): void {
  for (const node of nodes) Object.assign(node.blobs, { onRead: null, reads: [] });
}

test('a blob of several chunks arrives whole, from whoever holds it', async () => {
  reset();
  const bytes = randomBytes(2 * BLOB_CHUNK_BYTES + 17);
  const digest = two.blobs.add(bytes);
  const blob = await asker.network.fetchBlob(digest, { prefer: [one.hotkey.address] });
  assert.equal(Buffer.compare(blob, bytes), 0);
  assert.deepEqual(
    two.blobs.reads.map((read) => read.offset),
    [0, BLOB_CHUNK_BYTES, 2 * BLOB_CHUNK_BYTES],
  );
  const empty = one.blobs.add(Buffer.alloc(0));
  assert.equal((await asker.network.fetchBlob(empty)).length, 0);
});

test('what nobody holds, or nobody shows yet, is unavailable', async () => {
  const digest = one.blobs.add(randomBytes(100));
  one.blobs.hidden.add(digest);
  await assert.rejects(asker.network.fetchBlob(digest), { code: 'BLOB_UNAVAILABLE' });
  one.blobs.hidden.delete(digest);
  assert.equal((await asker.network.fetchBlob(digest)).length, 100);
  await assert.rejects(asker.network.fetchBlob('ab'.repeat(32)), { code: 'BLOB_UNAVAILABLE' });
  await assert.rejects(asker.network.fetchBlob('AB'.repeat(32)), { code: 'BLOB_UNAVAILABLE' });
});

test('a blob over the bound is not read', async () => {
  reset();
  const digest = one.blobs.add(randomBytes(101));
  await assert.rejects(asker.network.fetchBlob(digest, { maxBytes: 100 }), { code: 'BLOB_TOO_LARGE' });
  assert.equal((await asker.network.fetchBlob(digest, { maxBytes: 101 })).length, 101);
});

test('when a holder fails the next one goes on where it stopped', async () => {
  reset();
  const bytes = randomBytes(3 * BLOB_CHUNK_BYTES);
  const digest = one.blobs.add(bytes);
  two.blobs.add(bytes);
  one.blobs.onRead = (_digest, offset, chunk) => {
    if (offset > 0) throw new Error('disk');
    return chunk;
  };
  const blob = await asker.network.fetchBlob(digest, { prefer: [one.hotkey.address] });
  assert.equal(sha256(blob), digest);
  assert.deepEqual(
    two.blobs.reads.map((read) => read.offset),
    [BLOB_CHUNK_BYTES, 2 * BLOB_CHUNK_BYTES],
  );
});

test('wrong bytes followed by right ones of another: each must give the whole alone, the liar is found', async () => {
  reset();
  const bytes = randomBytes(2 * BLOB_CHUNK_BYTES);
  const digest = one.blobs.add(bytes);
  two.blobs.add(bytes);
  let calls = 0;
  one.blobs.onRead = (_digest, offset, chunk) => {
    calls += 1;
    // Lies in the first chunk and fails at the second, so that `two` is made to complete the lie.
    if (offset > 0 && calls === 2) throw new Error('disk');
    return Buffer.alloc(chunk.length);
  };
  const score = (node: TestNode): number =>
    asker.network.peers().find((peer) => peer.hotkey === node.hotkey.address)?.score as number;
  const blob = await asker.network.fetchBlob(digest, { prefer: [one.hotkey.address] });
  assert.equal(sha256(blob), digest);
  assert.ok(score(one) < -50, `liar: ${score(one)}`);
  assert.equal(score(two), 0);
});

test('100 fetches one after the other leave no stream behind', async () => {
  reset();
  const digests = Array.from({ length: 100 }, () => two.blobs.add(randomBytes(1000)));
  for (const digest of digests) {
    assert.equal((await asker.network.fetchBlob(digest, { prefer: [two.hotkey.address] })).length, 1000);
  }
  assert.equal(two.blobs.reads.length, 100);
});

test('a caller can give up', async () => {
  reset();
  const digest = two.blobs.add(randomBytes(10));
  const asked = Promise.withResolvers<void>();
  const never = Promise.withResolvers<Uint8Array>();
  two.blobs.onRead = () => {
    asked.resolve();
    return never.promise;
  };
  const controller = new AbortController();
  const fetching = asker.network.fetchBlob(digest, { signal: controller.signal });
  await asked.promise;
  controller.abort(new Error('changed my mind'));
  await assert.rejects(fetching, /changed my mind/);
  never.resolve(Buffer.alloc(10));
});

test('a holder that lies twice is banned; one that sends more than asked is cut off its stream and scored', async () => {
  const [victim] = (await startNodes(['asker'], LIMITS)) as [TestNode];
  const key = await nodeKey('one');
  const own = await hotkey('one');
  victim.members.add(own.address);
  const host = await attacker(key);
  try {
    const connection = await connect(host, victim.address());
    await authenticate(connection, key, signBinding(own, key));
    let flood = true;
    await host.handle(BLOB_PROTOCOL, async (stream) => {
      const wire = new WireStream(stream, FRAME_MAX_BYTES);
      await wire.readFrame(AbortSignal.timeout(5_000));
      stream.send(encodeFrame({ length: 1000, size: 2000, status: 'ok' }));
      stream.send(randomBytes(flood ? 3 * BLOB_CHUNK_BYTES : 1000));
      if (flood) return;
      await wire.readFrame(AbortSignal.timeout(5_000));
    });
    await assert.rejects(victim.network.fetchBlob('cd'.repeat(32)), { code: 'BLOB_UNAVAILABLE' });
    const scored = victim.network.peers()[0]?.score as number;
    // A score recovers by the minute; a little of that may have passed.
    assert.ok(scored < -24 && scored > -100, String(scored));

    flood = false;
    await host.unhandle(BLOB_PROTOCOL);
    await host.handle(BLOB_PROTOCOL, async (stream) => {
      const wire = new WireStream(stream, FRAME_MAX_BYTES);
      await wire.readFrame(AbortSignal.timeout(5_000));
      stream.send(encodeFrame({ length: 4, size: 4, status: 'ok' }));
      stream.send(Buffer.from('lies'));
      await stream.close();
    });
    for (let i = 0; i < 2; i++) {
      await assert.rejects(victim.network.fetchBlob('cd'.repeat(32)), { code: 'BLOB_UNAVAILABLE' });
    }
    await until('the liar is cut off', () => victim.network.peers().length === 0);
    const { counters } = victim.network.describeNetwork();
    assert.equal(counters.blob_lies, 2);
    assert.equal(counters.peers_banned, 1);
  } finally {
    await Promise.all([host.stop(), victim.network.stop()]);
  }
});

test('a server gives each peer so many bytes per second, and the asker waits for its turn', async () => {
  const [a, b] = (await startNodes(['slow', 'server'], {
    ...LIMITS,
    blobBurstBytes: 100_000,
    blobBytesPerSecond: 400_000,
  })) as [TestNode, TestNode];
  try {
    await join(a, b);
    const first = b.blobs.add(randomBytes(90_000));
    const second = b.blobs.add(randomBytes(90_000));
    await a.network.fetchBlob(first);
    assert.equal((await a.network.fetchBlob(second)).length, 90_000);
    assert.ok(b.network.describeNetwork().counters.rate_limited > 0);
  } finally {
    await stopNodes([a, b]);
  }
});
