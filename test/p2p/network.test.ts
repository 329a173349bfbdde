import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { hotkey, sha256, type TestNode, testNode, until } from './support/nodes.ts';

async function nodes(...names: string[]): Promise<TestNode[]> {
  const members = await Promise.all(names.map(async (name) => (await hotkey(name)).address));
  const made = await Promise.all(names.map((name) => testNode(name, { members })));
  await Promise.all(made.map((node) => node.network.start()));
  return made;
}

test('three nodes in a line hear each other and share a blob', async () => {
  const [a, b, c] = (await nodes('a', 'b', 'c')) as [TestNode, TestNode, TestNode];
  try {
    const seen = await a.network.dial(b.address());
    assert.equal(seen.hotkey, b.hotkey.address);
    await b.network.dial(c.address());
    await until('b is connected to both', () => b.network.peers().length === 2);
    let count = 0;
    await until('gossip of a arrives at c', () => {
      void a.network.publish(Buffer.from(`hello ${count++}`));
      return c.heard.length > 0;
    });
    const bytes = randomBytes(3_000_000);
    const digest = b.blobs.add(bytes);
    assert.equal(sha256(await a.network.fetchBlob(digest)), digest);
  } finally {
    await Promise.all([a, b, c].map((node) => node.network.stop()));
  }
});
