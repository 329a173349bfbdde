import { noise } from '@chainsafe/libp2p-noise';
import { gossipsub } from '@libp2p/gossipsub';
import { identify } from '@libp2p/identify';
import type { Connection, Libp2p } from '@libp2p/interface';
import { tcp } from '@libp2p/tcp';
import { yamux } from '@libp2p/yamux';
import { multiaddr } from '@multiformats/multiaddr';
import { createLibp2p } from 'libp2p';
import { type HandshakeContext, initiate } from '../../../p2p/auth/handshake.ts';
import { AUTH_PROTOCOL } from '../../../p2p/auth/messages.ts';
import { gossipTopic, messageId } from '../../../p2p/gossip/create.ts';
import type { NodeKey, SignedBinding } from '../../../p2p/index.ts';
import { FRAME_MAX_BYTES } from '../../../p2p/limits.ts';
import { WireStream } from '../../../p2p/wire/wire-stream.ts';
import { CONSENSUS } from './nodes.ts';

/** A bare libp2p node that keeps none of our rules. */
export async function attacker(key: NodeKey): Promise<Libp2p> {
  return createLibp2p({
    privateKey: key.libp2p,
    addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] },
    transports: [tcp()],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    connectionMonitor: { enabled: false },
  });
}

/** The same with gossipsub and identify, as a node that opens gossip at once and never authenticates. */
export async function gossipAttacker(key: NodeKey) {
  return createLibp2p({
    privateKey: key.libp2p,
    addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] },
    transports: [tcp()],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    connectionMonitor: { enabled: false },
    services: {
      identify: identify(),
      pubsub: gossipsub({
        globalSignaturePolicy: 'StrictNoSign',
        msgIdFn: messageId,
        allowPublishToZeroTopicPeers: true,
        ignoreDuplicatePublishError: true,
        allowedTopics: [gossipTopic(CONSENSUS)],
      }),
    },
  });
}

export async function connect(host: Libp2p, address: string): Promise<Connection> {
  return host.dial(multiaddr(address), { signal: AbortSignal.timeout(5_000) });
}

export async function open(connection: Connection, protocol: string): Promise<WireStream> {
  const stream = await connection.newStream(protocol, { signal: AbortSignal.timeout(5_000) });
  return new WireStream(stream, 4 * FRAME_MAX_BYTES);
}

/** Authenticates as the holder of a good binding would; `changes` spoil it. */
export async function authenticate(
  connection: Connection,
  key: NodeKey,
  binding: SignedBinding,
  changes: Partial<HandshakeContext> = {},
): Promise<void> {
  const wire = await open(connection, AUTH_PROTOCOL);
  const signal = AbortSignal.timeout(5_000);
  await initiate(
    wire,
    {
      nodeKey: key,
      binding,
      consensusDigest: CONSENSUS,
      remotePeerId: connection.remotePeer.toString(),
      addresses: [],
      checkBinding: () => {},
      admit: () => {},
      ...changes,
    },
    signal,
  );
  await wire.close(signal);
}

/** A gossipsub RPC with one message and nothing else, length-prefixed as on the wire. */
export function gossipRpc(topic: string, data: Uint8Array): Uint8Array {
  const message = Buffer.concat([lengthDelimited(0x12, data), lengthDelimited(0x22, Buffer.from(topic))]);
  const rpc = lengthDelimited(0x12, message);
  return Buffer.concat([varint(rpc.length), rpc]);
}

function lengthDelimited(tag: number, data: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([tag]), varint(data.length), data]);
}

function varint(value: number): Buffer {
  return value < 0x80 ? Buffer.from([value]) : Buffer.from([(value & 0x7f) | 0x80, ...varint(value >> 7)]);
}

/** Resolves when the other side has ended the connection. */
export async function ended(connection: Connection, ms = 8_000): Promise<void> {
  if (connection.status !== 'open') return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error('deadline: the connection stays open')), ms);
  connection.addEventListener('close', () => resolve(), { once: true });
  await promise.finally(() => clearTimeout(timer));
}
