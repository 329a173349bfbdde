import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { FRAME_MAX_BYTES } from '../../../p2p/limits.ts';
import { WANT_PROTOCOL } from '../../../p2p/want/messages.ts';
import { WireStream } from '../../../p2p/wire/wire-stream.ts';
import { attacker, authenticate, connect, open } from '../support/attacker.ts';
import { join, startNodes, stopNodes } from '../support/nets.ts';
import { hotkey, nodeKey, signBinding, type TestNode } from '../support/nodes.ts';

let nodes: TestNode[] = [];
let asker: TestNode;
let one: TestNode;
let two: TestNode;

before(async () => {
  nodes = await startNodes(['asker', 'one', 'two', 'liar'], { muteAfterMs: 600_000 });
  [asker, one, two] = nodes as [TestNode, TestNode, TestNode];
  await join(asker, one);
  await join(asker, two);
});
after(() => stopNodes(nodes));

test('200 digests fit one question; each answer names who can serve it', async () => {
  const digests = Array.from({ length: 200 }, () => randomBytes(32).toString('hex'));
  const [both, first, hidden] = digests as [string, string, string];
  one.blobs.add(Buffer.from('x'), both);
  two.blobs.add(Buffer.from('x'), both);
  one.blobs.add(Buffer.from('y'), first);
  one.blobs.add(Buffer.from('z'), hidden);
  one.blobs.hidden.add(hidden);
  const holders = await asker.network.ask(digests);
  assert.equal(holders.size, 200);
  assert.deepEqual([...(holders.get(both) ?? [])].sort(), [one.hotkey.address, two.hotkey.address].sort());
  assert.deepEqual(holders.get(first), [one.hotkey.address]);
  assert.deepEqual(holders.get(hidden), []);
  await assert.rejects(asker.network.ask([...digests, 'ab'.repeat(32)]), { code: 'WANT_TOO_MANY' });
  assert.equal((await asker.network.ask([])).size, 0);
});

test('an answer with what was not asked counts for nothing and costs score', async () => {
  const own = await hotkey('liar');
  const key = await nodeKey('liar');
  const host = await attacker(key);
  try {
    await host.handle(WANT_PROTOCOL, async (stream) => {
      const wire = new WireStream(stream, FRAME_MAX_BYTES + 4);
      await wire.readFrame(AbortSignal.timeout(5_000));
      wire.writeFrame({ held: ['ee'.repeat(32)] });
      await stream.close();
    });
    const connection = await connect(host, asker.address());
    await authenticate(connection, key, signBinding(own, key));
    const holders = await asker.network.ask(['dd'.repeat(32)]);
    assert.deepEqual(holders.get('dd'.repeat(32)), []);
    const liar = asker.network.peers().find((peer) => peer.hotkey === own.address);
    assert.equal(Math.round(liar?.score as number), -25);
  } finally {
    await host.stop();
  }
});

test('a malformed want list is not answered', async () => {
  const own = await hotkey('liar');
  const key = await nodeKey('liar');
  const host = await attacker(key);
  try {
    const connection = await connect(host, two.address());
    await authenticate(connection, key, signBinding(own, key));
    const servedBefore = two.network.describeNetwork().counters.want_served;
    const tooMany = Array.from({ length: 201 }, () => randomBytes(32).toString('hex'));
    const questions = [{ digests: tooMany }, { digests: ['zz'] }, { digests: [], more: 1 }, [], { digests: null }];
    for (const question of questions) {
      const asking = async (): Promise<unknown> => {
        const wire = await open(connection, WANT_PROTOCOL);
        wire.writeFrame(question);
        return wire.readFrame(AbortSignal.timeout(5_000));
      };
      await assert.rejects(asking());
    }
    const described = two.network.describeNetwork();
    assert.equal(described.counters.want_served, servedBefore);
    assert.equal(described.counters.peers_banned, 1);
  } finally {
    await host.stop();
  }
});
