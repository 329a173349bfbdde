import { type GossipSub, type GossipSubEvents, type Message, TopicValidatorResult } from '@libp2p/gossipsub';
import type { Connection, PeerId } from '@libp2p/interface';
import type { Counters } from '../counters.ts';
import { errorCode, PeerError } from '../errors.ts';
import type { Connections } from '../guard/connections.ts';
import type { RateLimiter } from '../guard/gcra.ts';
import type { Offence } from '../guard/scores.ts';
import { ANNOUNCEMENT_MAX_BYTES } from '../limits.ts';
import type { Logger, PeerIdentity, Verdict } from '../types.ts';

export interface GossipRoomDeps {
  readonly connections: Connections;
  readonly rates: RateLimiter;
  readonly counters: Counters;
  readonly logger: Logger;
  readonly penalise: (hotkey: string, offence: Offence) => void;
  validateAnnouncement(envelope: Uint8Array, from: PeerIdentity): Promise<Verdict> | Verdict;
  onAnnouncement(envelope: Uint8Array, from: PeerIdentity): void;
}

const RESULT: Readonly<Record<Verdict, TopicValidatorResult>> = {
  accept: TopicValidatorResult.Accept,
  ignore: TopicValidatorResult.Ignore,
  reject: TopicValidatorResult.Reject,
};
const COUNTER = { accept: 'gossip_accepted', ignore: 'gossip_ignored', reject: 'gossip_rejected' } as const;

/** Announcements on the one topic: validated before they are forwarded or delivered. */
export class GossipRoom {
  readonly #pubsub: GossipSub;
  readonly #topic: string;
  readonly #deps: GossipRoomDeps;
  readonly #onMessage = (event: GossipSubEvents['gossipsub:message']): void => {
    const { msg, propagationSource } = event.detail;
    const from = this.#deps.connections.byPeerId(propagationSource.toString());
    if (from === null || msg.topic !== this.#topic) return;
    this.#deps.onAnnouncement(msg.data, { peerId: from.peerId, hotkey: from.hotkey });
  };

  constructor(pubsub: GossipSub, topic: string, dependencies: GossipRoomDeps) {
    this.#pubsub = pubsub;
    this.#topic = topic;
    this.#deps = dependencies;
  }

  /** Validator first: nothing of the topic is ever forwarded unchecked. */
  open(): void {
    this.#pubsub.topicValidators.set(this.#topic, (peer, message) => this.#validate(peer, message));
    this.#pubsub.addEventListener('gossipsub:message', this.#onMessage);
    this.#pubsub.subscribe(this.#topic);
  }

  close(): void {
    this.#pubsub.removeEventListener('gossipsub:message', this.#onMessage);
    this.#pubsub.topicValidators.delete(this.#topic);
  }

  /** @throws PeerError ANNOUNCEMENT_TOO_LARGE before anything is sent: receivers would go deaf to this node */
  async publish(envelope: Uint8Array): Promise<{ recipients: number }> {
    if (envelope.length > ANNOUNCEMENT_MAX_BYTES) {
      throw new PeerError('ANNOUNCEMENT_TOO_LARGE', `${envelope.length} bytes, at most ${ANNOUNCEMENT_MAX_BYTES}`);
    }
    const { recipients } = await this.#pubsub.publish(this.#topic, envelope);
    this.#deps.counters.add('gossip_published');
    return { recipients: recipients.length };
  }

  async #validate(source: PeerId, message: Message): Promise<TopicValidatorResult> {
    const verdict = await this.#verdict(source.toString(), message.data);
    this.#deps.counters.add(COUNTER[verdict]);
    return RESULT[verdict];
  }

  async #verdict(peerId: string, envelope: Uint8Array): Promise<Verdict> {
    const from = this.#deps.connections.byPeerId(peerId);
    if (from === null) return 'ignore';
    if (envelope.length > ANNOUNCEMENT_MAX_BYTES) {
      this.#deps.penalise(from.hotkey, 'announcement');
      return 'reject';
    }
    if (!this.#deps.rates.take(from.hotkey)) return 'ignore';
    try {
      const identity = { peerId: from.peerId, hotkey: from.hotkey };
      const verdict = await this.#deps.validateAnnouncement(envelope, identity);
      if (verdict === 'reject') this.#deps.penalise(from.hotkey, 'announcement');
      return verdict;
    } catch (error) {
      this.#deps.logger.warn({ code: errorCode(error) }, 'announcement validator failed');
      return 'ignore';
    }
  }
}

/**
 * True if gossip flows both ways on this connection. The library neither notices nor reopens a stream that the other
 * side has given up, while `publish` goes on reporting recipients.
 */
export function gossipFlows(connection: Connection): boolean {
  const alive = connection.streams.filter(
    (stream) =>
      stream.protocol.startsWith('/meshsub/') &&
      stream.status === 'open' &&
      stream.writeStatus === 'writable' &&
      stream.remoteWriteStatus === 'writable',
  );
  return (
    alive.some((stream) => stream.direction === 'inbound') && alive.some((stream) => stream.direction === 'outbound')
  );
}
