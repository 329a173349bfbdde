import type { NetworkLimits } from '../../../p2p/index.ts';
import { hotkey, type TestNode, type TestNodeOptions, testNode, until } from './nodes.ts';

/** Starts nodes that are all members to each other. */
export async function startNodes(
  names: readonly string[],
  limits: Partial<NetworkLimits> = {},
  options: TestNodeOptions = {},
): Promise<TestNode[]> {
  const members = await Promise.all(names.map(async (name) => (await hotkey(name)).address));
  const nodes = await Promise.all(
    names.map((name) => testNode(name, { members, ...options, network: { ...options.network, limits } })),
  );
  await Promise.all(nodes.map((node) => node.network.start()));
  return nodes;
}

export async function stopNodes(nodes: readonly TestNode[]): Promise<void> {
  await Promise.all(nodes.map((node) => node.network.stop()));
}

/** Connects two nodes and waits until both know it. */
export async function join(a: TestNode, b: TestNode): Promise<void> {
  await a.network.dial(b.address());
  await until('both sides are authenticated', () => knows(a, b) && knows(b, a));
}

export function knows(a: TestNode, b: TestNode): boolean {
  return a.network.peers().some((peer) => peer.hotkey === b.hotkey.address);
}

/** Publishes fresh announcements at `from` until `to` has heard one that was published now. */
export async function untilHeard(from: TestNode, to: TestNode, ms?: number): Promise<void> {
  const mark = `${from.name} ${Math.random()}`;
  let count = 0;
  await until(
    `${to.name} hears ${from.name}`,
    () => {
      void from.network.publish(Buffer.from(`${mark} ${count++}`));
      return to.heard.some(({ text }) => text.startsWith(mark));
    },
    ms,
  );
}
