import { noise } from '@chainsafe/libp2p-noise';
import type { GossipSub } from '@libp2p/gossipsub';
import { type Identify, identify } from '@libp2p/identify';
import type { ConnectionGater, Libp2p } from '@libp2p/interface';
import { tcp } from '@libp2p/tcp';
import { yamux } from '@libp2p/yamux';
import { createLibp2p } from 'libp2p';
import { createGossip, type GossipComponents } from '../gossip/create.ts';
import type { HandlerRegistrar } from '../guard/guard.ts';
import { ADDRESSES_PER_PEER, DIAL_CONCURRENCY, DIAL_TIMEOUT_MS, type NetworkLimits } from '../limits.ts';
import { isPublicAddress } from './addresses.ts';
import type { NodeKey } from './key.ts';

export type Host = Libp2p<{ identify: Identify; pubsub: GossipSub }>;

export interface HostOptions {
  readonly nodeKey: NodeKey;
  readonly listen: readonly string[];
  readonly announce: readonly string[];
  readonly allowPrivateAddresses: boolean;
  readonly limits: NetworkLimits;
  readonly topic: string;
  readonly gater: ConnectionGater;
  /** Puts the guard in front of the gossip library's handlers. */
  holding<R extends HandlerRegistrar>(registrar: R): R;
}

/** The identify specification's bound on one answer. */
const IDENTIFY_MAX_BYTES = 8 * 1024;

/** Creates the libp2p node, not yet started: TCP, Noise, Yamux, identify and gossipsub, nothing else. */
export async function createHost(options: HostOptions): Promise<Host> {
  const { limits } = options;
  return createLibp2p({
    privateKey: options.nodeKey.libp2p,
    start: false,
    addresses: {
      listen: [...options.listen],
      announce: [...options.announce],
      // Without explicit addresses only those are told that others can use.
      announceFilter: (addresses) =>
        (options.allowPrivateAddresses || options.announce.length > 0
          ? addresses
          : addresses.filter((address) => isPublicAddress(address))
        ).slice(0, ADDRESSES_PER_PEER),
    },
    connectionGater: options.gater,
    connectionManager: {
      maxConnections: limits.maxConnections,
      inboundConnectionThreshold: limits.inboundPerSecond,
      maxIncomingPendingConnections: limits.maxUnauthenticated,
      maxParallelDials: DIAL_CONCURRENCY,
      maxPeerAddrsToDial: ADDRESSES_PER_PEER,
      dialTimeout: DIAL_TIMEOUT_MS,
      // Noise and Yamux have no deadline of their own.
      inboundUpgradeTimeout: limits.authTimeoutMs,
      // Our dialer owns reconnecting: libp2p's queue knows neither hotkeys nor our backoff.
      reconnectRetries: 0,
    },
    transports: [tcp({ maxConnections: limits.maxConnections, backlog: limits.maxUnauthenticated })],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    services: {
      // Run by us after authentication: it is identify that makes gossip open its streams.
      identify: identify({ runOnConnectionOpen: false, maxMessageSize: IDENTIFY_MAX_BYTES }),
      pubsub: (components: GossipComponents) =>
        createGossip(options.topic, { ...gossipParts(components), registrar: options.holding(components.registrar) }),
    },
  });
}

function gossipParts(components: GossipComponents): GossipComponents {
  const { privateKey, peerId, peerStore, registrar, connectionManager, logger } = components;
  return { privateKey, peerId, peerStore, registrar, connectionManager, logger };
}
