import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { BLOB_CHUNK_BYTES } from '../../p2p/index.ts';
import { hotkey, type TestNode, testNode, until } from './support/nodes.ts';
import { type ChildNode, kill, startChild } from './support/processes.ts';

const NAMES = ['parent', 'child one', 'child two'];
const MEMBERS = await Promise.all(NAMES.map(async (name) => (await hotkey(name)).address));
const unhandled: unknown[] = [];
const note = (error: unknown): void => {
  unhandled.push(error);
};
process.on('unhandledRejection', note);
process.on('uncaughtExceptionMonitor', note);

const children: ChildNode[] = [];
let one: ChildNode;
let two: ChildNode;
let node: TestNode;
before(async () => {
  node = await testNode('parent', { members: MEMBERS });
  const start = async (name: string): Promise<ChildNode> =>
    children[children.push(await startChild(name, MEMBERS)) - 1] as ChildNode;
  [one, two] = await Promise.all([start('child one'), start('child two')]);
  await node.network.start();
});
after(() => Promise.all([...children.map(kill), node.network.stop()]));

test('nodes in processes of their own gossip, and survive kill -9 of one in the middle of a transfer', async () => {
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
});

test('a stopped node leaves nothing open: its process ends by itself', async () => {
  one.tell('stop');
  const left = (await one.says('stopped')) as string[];
  assert.deepEqual(
    left.filter((resource) => resource.startsWith('TCP')),
    [],
  );
  // The library's heartbeat timer fires once more; a timer of ours would go on for ever.
  await until('the process ends', () => one.process.exitCode !== null);
  assert.equal(one.process.exitCode, 0);
});
