import { createHash } from 'node:crypto';
import {
  cryptoWaitReady,
  decodeAddress,
  encodeAddress,
  sr25519PairFromSeed,
  sr25519Sign,
  sr25519Verify,
} from '@polkadot/util-crypto';
import {
  type Binding,
  bindingMessage,
  createPeerNetwork,
  type NetworkLimits,
  type NodeKey,
  nodeKeyFromSeed,
  type PeerIdentity,
  type PeerNetwork,
  type PeerNetworkDeps,
  type PeerNetworkOptions,
  type SignedBinding,
  type Verdict,
} from '../../../p2p/index.ts';

export const GENESIS = `0x${'11'.repeat(32)}`;
export const NETUID = 7;
export const CONSENSUS = 'c0'.repeat(32);
const SILENT = { debug: () => {}, info: () => {}, warn: () => {} };

export interface Hotkey {
  readonly address: string;
  sign(message: Uint8Array): Uint8Array;
}

export async function hotkey(name: string): Promise<Hotkey> {
  await cryptoWaitReady();
  const pair = sr25519PairFromSeed(createHash('sha256').update(name).digest());
  return { address: encodeAddress(pair.publicKey, 42), sign: (message) => sr25519Sign(message, pair) };
}

export function nodeKey(name: string): Promise<NodeKey> {
  return nodeKeyFromSeed(createHash('sha256').update(`node ${name}`).digest());
}

export function signBinding(owner: Hotkey, key: NodeKey, changes: Partial<Binding> = {}): SignedBinding {
  const binding: Binding = {
    schema_version: 1,
    genesis_hash: GENESIS,
    netuid: NETUID,
    hotkey: owner.address,
    peer_id: key.peerId,
    node_public_key: key.publicKey,
    epoch: 1,
    expires_height: 1000,
    ...changes,
  };
  const signature = owner.sign(bindingMessage(binding));
  return { binding, scheme: 'sr25519', signature: Buffer.from(signature).toString('hex') };
}

export function verifySr25519(scheme: string, address: string, message: Uint8Array, signature: Uint8Array): boolean {
  return scheme === 'sr25519' && sr25519Verify(message, signature, decodeAddress(address));
}

/** Blobs in memory; `hidden` ones are held back, `corrupt` ones are served wrongly. */
export class MemoryBlobs {
  readonly #blobs = new Map<string, Uint8Array>();
  readonly hidden = new Set<string>();
  /** Called before every read; may throw, wait or change the bytes. */
  onRead: ((digest: string, offset: number, bytes: Uint8Array) => Promise<Uint8Array> | Uint8Array) | null = null;
  reads: { digest: string; offset: number }[] = [];

  add(bytes: Uint8Array, digest = sha256(bytes)): string {
    this.#blobs.set(digest, bytes);
    return digest;
  }

  size(digest: string): number | null {
    return this.#blobs.get(digest)?.length ?? null;
  }

  async read(digest: string, offset: number, length: number): Promise<Uint8Array> {
    this.reads.push({ digest, offset });
    const bytes = (this.#blobs.get(digest) as Uint8Array).subarray(offset, offset + length);
    return this.onRead === null ? bytes : this.onRead(digest, offset, bytes);
  }

  mayServe(digest: string): boolean {
    return !this.hidden.has(digest);
  }
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export const realClock = {
  now: () => Date.now(),
  setTimeout: (callback: () => void, ms: number): unknown => setTimeout(callback, ms),
  clearTimeout: (handle: unknown): void => clearTimeout(handle as NodeJS.Timeout),
};

/** Looks often; deadlines stay generous, because a loaded machine is slow. */
export const QUICK: Partial<NetworkLimits> = {
  tickMs: 50,
  inboundPerSecond: 1000,
};

export interface TestNode {
  readonly name: string;
  readonly network: PeerNetwork;
  readonly blobs: MemoryBlobs;
  readonly hotkey: Hotkey;
  readonly key: NodeKey;
  readonly heard: { text: string; from: PeerIdentity }[];
  /** Members as this node sees them. */
  readonly members: Set<string>;
  height: number;
  verdict: Verdict;
  /** Where others dial it. */
  address(): string;
}

export interface TestNodeOptions {
  readonly members?: Iterable<string>;
  readonly bindingChanges?: Partial<Binding>;
  readonly binding?: SignedBinding;
  readonly key?: NodeKey;
  readonly network?: Partial<PeerNetworkOptions>;
  readonly deps?: Partial<PeerNetworkDeps>;
}

/** Properties of `changes` put over `base`; those that are computed stay computed. */
function withGetters<T extends object>(base: T, changes: Partial<T> = {}): T {
  return Object.defineProperties(base, Object.getOwnPropertyDescriptors(changes)) as T;
}

/** A node on 127.0.0.1, not started. */
export async function testNode(name: string, options: TestNodeOptions = {}): Promise<TestNode> {
  const owner = await hotkey(name);
  const key = options.key ?? (await nodeKey(name));
  const blobs = new MemoryBlobs();
  const members = new Set(options.members ?? [owner.address]);
  const node: TestNode = {
    name,
    blobs,
    hotkey: owner,
    key,
    members,
    heard: [],
    height: 100,
    verdict: 'accept',
    network: createPeerNetwork(
      {
        listen: ['/ip4/127.0.0.1/tcp/0'],
        announce: [],
        bootstrap: [],
        genesisHash: GENESIS,
        netuid: NETUID,
        consensusDigest: CONSENSUS,
        allowPrivateAddresses: true,
        ...options.network,
        limits: { ...QUICK, ...options.network?.limits },
      },
      withGetters(
        {
          nodeKey: key,
          binding: options.binding ?? signBinding(owner, key, options.bindingChanges),
          membership: () => members,
          finalizedHeight: () => node.height,
          verifyHotkeySignature: verifySr25519,
          blobs,
          validateAnnouncement: () => node.verdict,
          clock: realClock,
          logger: SILENT,
          metrics: null,
        },
        options.deps,
      ),
    ),
    address: () => node.network.addresses()[0] as string,
  };
  node.network.onAnnouncement((envelope, from) => {
    node.heard.push({ text: Buffer.from(envelope).toString('utf8'), from });
  });
  return node;
}

/** Waits until the condition holds; looks again after every turn of the timer. Fails loudly at the deadline. */
export async function until(what: string, condition: () => boolean, ms = 8_000): Promise<void> {
  const end = Date.now() + ms;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`deadline: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
