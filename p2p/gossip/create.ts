import { createHash } from 'node:crypto';
import { type GossipSub, type GossipSubComponents, gossipsub, type Message } from '@libp2p/gossipsub';
import { GOSSIP_BATCH_MESSAGES, GOSSIP_RPC_MAX_BYTES, GOSSIP_SEEN_MS } from '../limits.ts';

export type GossipComponents = GossipSubComponents;

/** Subscriptions and control messages in one RPC: there is one topic. */
const CONTROL_MESSAGES = 16;
/** Memory for the topics one peer subscribes to: one topic costs about 1 KiB. */
const TOPIC_BYTES_PER_PEER = 4096;
/** No peer exchange, so no score earns one. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** `/cacheon/1/<consensus digest>`: nodes under different consensus objects do not hear each other. */
export function gossipTopic(consensusDigest: string): string {
  return `/cacheon/1/${consensusDigest}`;
}

/** A message's id is the SHA-256 of its bytes: the same announcement is the same message, whoever sends it. */
export function messageId(message: Message): Uint8Array {
  return createHash('sha256').update(message.data).digest();
}

/**
 * Gossipsub with every bound written out. Messages carry no libp2p signature or author (StrictNoSign): the envelope
 * is signed, and arrival proves nothing.
 */
export function createGossip(topic: string, components: GossipComponents): GossipSub {
  return gossipsub({
    allowedTopics: [topic],
    globalSignaturePolicy: 'StrictNoSign',
    msgIdFn: messageId,
    fallbackToFloodsub: false,
    emitSelf: false,
    doPX: false,
    scoreThresholds: { acceptPXThreshold: NEVER },
    allowPublishToZeroTopicPeers: true,
    ignoreDuplicatePublishError: true,
    seenTTL: GOSSIP_SEEN_MS,
    // Replies to IWANT hold whole batches, so the bound on an RPC is that of a batch, not of a message.
    maxInboundDataLength: GOSSIP_RPC_MAX_BYTES,
    maxOutboundBufferSize: 2 * GOSSIP_RPC_MAX_BYTES,
    maxInboundStreams: 4,
    maxOutboundStreams: 4,
    maxTopicBytesPerPeer: TOPIC_BYTES_PER_PEER,
    decodeRpcLimits: {
      maxSubscriptions: CONTROL_MESSAGES,
      maxMessages: GOSSIP_BATCH_MESSAGES,
      maxIhaveMessageIDs: GOSSIP_BATCH_MESSAGES,
      maxIwantMessageIDs: GOSSIP_BATCH_MESSAGES,
      maxIdontwantMessageIDs: GOSSIP_BATCH_MESSAGES,
      maxControlMessages: CONTROL_MESSAGES,
      maxPeerInfos: 0,
    },
  })(components);
}
