import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { BLOB_CHUNK_BYTES } from '../../p2p/index.ts';
import { hotkey, type TestNode, testNode, until } from './support/nodes.ts';
import { type ChildNode, kill, startChild } from './support/processes.ts';

const NAMES = ['parent', 'child one', 'child two'];
const MEMBERS = await Promise.all(NAMES.map(async (name) => (await hotkey(name)).address));
const children: ChildNode[] = [];
const unhandled: unknown[] = [];
const note = (error: unknown): void => {
  unhandled.push(error);
};
process.on('unhandledRejection', note);
process.on('uncaughtExceptionMonitor', note);
after(() => Promise.all(children.map(kill)));

async function child(name: string): Promise<ChildNode> {
  const started = await startChild(name, MEMBERS);
  children.push(started);
  return started;
}

async function parent(): Promise<TestNode> {
  const node = await testNode('parent', { members: MEMBERS });
  await node.network.start();
  return node;
}

test('nodes in processes of their own gossip, and survive kill -9 of one in the middle of a transfer', async () => {
  const [one, two, node] = await Promise.all([child('child one'), child('child two'), parent()]);
  try {
    // A line: one - two - parent.
    one.tell((await two.says('address')) as string);
    await one.says('dialed');
    await node.network.dial((await two.says('address')) as string);
    let count = 0;
    await until('the farthest node answers', () => {
      void node.network.publish(Buffer.from(`ping ${count++}`));
      return node.heard.some(({ text }) => text.startsWith('pong child one'));
    });

    const digest = (await two.says('digest')) as string;
    const fetching = node.network.fetchBlob(digest);
    const outcome = fetching.then(
      () => 'delivered',
      (error: { code?: string }) => error.code,
    );
    // The second chunk takes its time: it is under way when the process dies.
    await two.says('midway');
    await kill(two);
    assert.equal(await outcome, 'BLOB_UNAVAILABLE');
    await until('the dead peer is gone', () => node.network.peers().length === 0);

    await node.network.dial((await one.says('address')) as string);
    const bytes = await node.network.fetchBlob(digest);
    assert.equal(bytes.length, 8 * BLOB_CHUNK_BYTES);
    await until('the other one answers still', () => {
      void node.network.publish(Buffer.from(`ping again ${count++}`));
      return node.heard.some(({ text }) => text.includes('to ping again'));
    });
    assert.deepEqual(unhandled, []);
    assert.equal(one.errors.join(''), '');
  } finally {
    await node.network.stop();
  }
});

test('a stopped node leaves nothing open: its process ends by itself', async () => {
  const [one, node] = await Promise.all([child('child one'), parent()]);
  try {
    one.tell(node.address());
    await one.says('dialed');
    let count = 0;
    await until('gossip flows', () => {
      void node.network.publish(Buffer.from(`ping ${count++}`));
      return node.heard.length > 0;
    });
    const gone = new Promise((resolve) => one.process.once('exit', resolve));
    one.tell('stop');
    const left = (await one.says('stopped')) as string[];
    assert.deepEqual(
      left.filter((resource) => resource.startsWith('TCP')),
      [],
    );
    // The library's heartbeat timer fires once more; a timer of ours would go on for ever.
    assert.equal(await gone, 0);
  } finally {
    await node.network.stop();
  }
});
