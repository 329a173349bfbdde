import { createHash } from 'node:crypto';
import { sha256, testNode } from './nodes.ts';

/**
 * A node in a process of its own, for tests. Arguments: its name, the members' addresses. Standard output, a line of
 * JSON each: {address}, then {heard} per announcement. A line on standard input is an address to dial, or "stop".
 * Every announcement that begins with "ping" is answered with "pong"; one blob of 8 MiB is held, read slowly.
 */
const [name = '', ...members] = process.argv.slice(2);
const node = await testNode(name, { members });

/** The same 8 MiB in every process. */
const bytes = Buffer.concat(
  Array.from({ length: 8 * 32_768 }, (_, i) => createHash('sha256').update(`block ${i}`).digest()),
);
const digest = node.blobs.add(bytes);
let reads = 0;
node.blobs.onRead = async (_digest, _offset, chunk) => {
  reads += 1;
  if (reads > 1) say({ midway: true });
  // From the second chunk on somebody has time to kill this process in the middle.
  if (reads > 1) await new Promise((resolve) => setTimeout(resolve, 200));
  return chunk;
};
const say = (value: object): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`);
};
node.network.onAnnouncement((envelope) => {
  const text = Buffer.from(envelope).toString('utf8');
  say({ heard: text });
  if (text.startsWith('ping')) void node.network.publish(Buffer.from(`pong ${name} to ${text}`));
});
await node.network.start();
say({ address: node.address(), digest, size: bytes.length, sha: sha256(bytes) });

process.stdin.setEncoding('utf8');
process.stdin.on('data', (text: string) => {
  for (const line of text.split('\n').filter((part) => part !== '')) {
    if (line === 'stop') {
      process.stdin.destroy();
      // A closed server's handle is released in the next turn of the loop.
      void node.network.stop().then(() => setImmediate(() => say({ stopped: process.getActiveResourcesInfo() })));
    } else {
      node.network.dial(line).then(
        (peer) => say({ dialed: peer.hotkey }),
        (error: Error) => say({ failed: error.message }),
      );
    }
  }
});
