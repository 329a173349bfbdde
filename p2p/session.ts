import type { Connection, PeerId } from '@libp2p/interface';
import { Authenticator } from './auth/authenticator.ts';
import { checkBinding } from './binding/check.ts';
import type { BindingEpochs } from './binding/epochs.ts';
import { BlobFetcher } from './blob/fetch.ts';
import { BLOB_PROTOCOL } from './blob/messages.ts';
import { BLOB_SERVE_AHEAD_BYTES, blobServer } from './blob/serve.ts';
import type { Counters } from './counters.ts';
import { Dialer } from './dial/dialer.ts';
import type { DialSchedule } from './dial/schedule.ts';
import { Watchdog } from './dial/watchdog.ts';
import { errorCode, PeerError } from './errors.ts';
import { gossipTopic } from './gossip/create.ts';
import { GossipRoom, gossipFlows } from './gossip/room.ts';
import { type AuthenticatedPeer, Connections } from './guard/connections.ts';
import { RateLimiter } from './guard/gcra.ts';
import { Guard } from './guard/guard.ts';
import type { Offence, Scores } from './guard/scores.ts';
import { foreignAddresses, parseAddress } from './host/addresses.ts';
import { createHost, type Host } from './host/create.ts';
import { createGater } from './host/gater.ts';
import { ADDRESSES_PER_PEER, type NetworkLimits } from './limits.ts';
import type { PeerIdentity, PeerNetworkDeps } from './types.ts';
import { WANT_PROTOCOL } from './want/messages.ts';
import { WANT_AHEAD_BYTES, wantServer } from './want/serve.ts';

/** A blob stream may serve many chunks; each has its own deadline. */
const BLOB_STREAM_MS = 15 * 60_000;

export interface SessionOptions {
  readonly listen: readonly string[];
  readonly announce: readonly string[];
  readonly genesisHash: string;
  readonly netuid: number;
  readonly consensusDigest: string;
  readonly allowPrivateAddresses: boolean;
  readonly limits: NetworkLimits;
}

/** What outlives a session: memory about peers. */
export interface SessionState {
  readonly schedule: DialSchedule;
  readonly scores: Scores;
  readonly epochs: BindingEpochs;
  readonly counters: Counters;
  onAnnouncement(envelope: Uint8Array, from: PeerIdentity): void;
}

/**
 * The network under one consensus digest, from listening to closed sockets. Another digest is another session: topic
 * and every handshake depend on it.
 */
export class Session {
  readonly host: Host;
  readonly connections: Connections;
  readonly gossip: GossipRoom;
  readonly fetcher: BlobFetcher;
  readonly dialer: Dialer;
  readonly topic: string;
  readonly lifetime: AbortController;
  readonly penalise: (hotkey: string, offence: Offence) => void;
  readonly #options: SessionOptions;
  readonly #deps: PeerNetworkDeps;
  readonly #state: SessionState;
  readonly #authenticator: Authenticator;
  readonly #watchdog: Watchdog;
  readonly #onOpen: (event: CustomEvent<Connection>) => void;
  readonly #onDisconnect: (event: CustomEvent<PeerId>) => void;
  #timer: unknown = null;

  private constructor(parts: {
    host: Host;
    connections: Connections;
    lifetime: AbortController;
    topic: string;
    options: SessionOptions;
    deps: PeerNetworkDeps;
    state: SessionState;
    penalise: (hotkey: string, offence: Offence) => void;
  }) {
    const { host, connections, lifetime, options, deps, state, penalise } = parts;
    const { limits } = options;
    const { counters, schedule, scores, epochs } = state;
    const { logger } = deps;
    const now = (): number => deps.clock.now();
    this.host = host;
    this.connections = connections;
    this.lifetime = lifetime;
    this.topic = parts.topic;
    this.penalise = penalise;
    this.#options = options;
    this.#deps = deps;
    this.#state = state;
    this.#authenticator = new Authenticator({
      nodeKey: deps.nodeKey,
      binding: deps.binding,
      consensusDigest: options.consensusDigest,
      limits,
      connections,
      epochs,
      scores,
      counters,
      logger,
      lifetime: lifetime.signal,
      addresses: () => this.#told(),
      checkBinding: (signed, remotePeerId) => {
        checkBinding(signed, remotePeerId, this.#context(), deps.verifyHotkeySignature);
      },
      onAuthenticated: (peer) => this.#welcome(peer),
    });
    this.gossip = new GossipRoom(host.services.pubsub, parts.topic, {
      connections,
      rates: new RateLimiter({ perMinute: limits.gossipPerMinute, burst: limits.gossipBurst }, now),
      counters,
      logger,
      penalise,
      validateAnnouncement: (envelope, from) => deps.validateAnnouncement(envelope, from),
      onAnnouncement: (envelope, from) => state.onAnnouncement(envelope, from),
    });
    this.fetcher = new BlobFetcher({
      candidates: (prefer) => this.#candidates(prefer),
      limits,
      counters,
      logger,
      lifetime: lifetime.signal,
      penalise,
      pause: (ms) => new Promise((resolve) => deps.clock.setTimeout(resolve, ms)),
    });
    this.dialer = new Dialer({ host, schedule, connections, limits, counters, lifetime: lifetime.signal });
    this.#watchdog = new Watchdog({
      connections,
      schedule,
      counters,
      logger,
      now,
      muteAfterMs: limits.muteAfterMs,
      flows: (peer) => gossipFlows(peer.connection),
    });
    this.#onOpen = (event) => this.#authenticator.onOpen(event.detail);
    this.#onDisconnect = (event) => this.#forget(event.detail);
  }

  /** Creates, registers and starts everything. On failure nothing stays open. */
  static async open(options: SessionOptions, deps: PeerNetworkDeps, state: SessionState): Promise<Session> {
    const { limits } = options;
    const now = (): number => deps.clock.now();
    const lifetime = new AbortController();
    const connections = new Connections(deps.nodeKey.peerId, now);
    const topic = gossipTopic(options.consensusDigest);
    const penalise = (hotkey: string, offence: Offence): void => {
      if (!state.scores.penalise(hotkey, offence)) return;
      state.counters.add('peers_banned');
      deps.logger.warn({ hotkey, offence }, 'peer banned');
      const peer = connections.byHotkey(hotkey);
      if (peer !== null) connections.cut(peer, new PeerError('AUTH_BANNED'));
    };
    const guard = new Guard({
      connections,
      requests: new RateLimiter({ perMinute: limits.requestsPerMinute, burst: limits.requestBurst }, now),
      limits,
      counters: state.counters,
      logger: deps.logger,
      lifetime: lifetime.signal,
      penalise,
    });
    const host = await createHost({
      nodeKey: deps.nodeKey,
      listen: options.listen,
      announce: options.announce,
      allowPrivateAddresses: options.allowPrivateAddresses,
      limits,
      topic,
      gater: createGater({
        ownPeerId: deps.nodeKey.peerId,
        allowPrivateAddresses: options.allowPrivateAddresses,
        maxUnauthenticated: limits.maxUnauthenticated,
        connections,
      }),
      holding: (registrar) => guard.holding(registrar),
    });
    const session = new Session({ host, connections, lifetime, topic, options, deps, state, penalise });
    try {
      await session.#start(guard);
    } catch (error) {
      await session.close();
      throw error;
    }
    return session;
  }

  async #start(guard: Guard): Promise<void> {
    const { limits } = this.#options;
    const { counters } = this.#state;
    const { blobs, clock } = this.#deps;
    const bytesPerMinute = limits.blobBytesPerSecond * 60;
    const rates = new RateLimiter({ perMinute: bytesPerMinute, burst: limits.blobBurstBytes }, () => clock.now());
    await this.#authenticator.register(this.host, guard);
    await guard.register(
      this.host,
      BLOB_PROTOCOL,
      { maxAheadBytes: BLOB_SERVE_AHEAD_BYTES, streamMs: BLOB_STREAM_MS },
      blobServer({ source: blobs, rates, limits, counters }),
    );
    await guard.register(
      this.host,
      WANT_PROTOCOL,
      { maxAheadBytes: WANT_AHEAD_BYTES, streamMs: 2 * limits.frameTimeoutMs },
      wantServer({ source: blobs, limits, counters }),
    );
    this.host.addEventListener('connection:open', this.#onOpen);
    this.host.addEventListener('peer:disconnect', this.#onDisconnect);
    await this.host.start();
    this.gossip.open();
    this.#tick();
  }

  /** Ends timers, dials, streams, connections and listeners. */
  async close(): Promise<void> {
    this.lifetime.abort(new PeerError('NETWORK_STOPPED'));
    this.#deps.clock.clearTimeout(this.#timer);
    this.gossip.close();
    this.host.removeEventListener('connection:open', this.#onOpen);
    await this.dialer.settled();
    await this.host.stop();
    this.host.removeEventListener('peer:disconnect', this.#onDisconnect);
    this.#state.schedule.reset();
  }

  /** The listen addresses with the ports that were chosen for port 0, so that the next session keeps them. */
  listening(configured: readonly string[]): string[] {
    const actual = this.host.getMultiaddrs().map((address) => address.getComponents());
    return configured.map((text) => {
      const [host, tcp] = parseAddress(text).getComponents();
      if (tcp?.value !== '0') return text;
      const bound = actual.find(([own]) => own?.name === host?.name)?.[1]?.value;
      return bound === undefined ? text : `/${host?.name}/${host?.value}/tcp/${bound}`;
    });
  }

  /** Cuts off who is no longer a member, and whose binding has expired. */
  refreshMembership(): void {
    const { membership, finalizedHeight } = this.#context();
    for (const peer of this.connections.authenticated()) {
      const code = !membership.has(peer.hotkey)
        ? 'AUTH_NOT_MEMBER'
        : finalizedHeight >= peer.expiresHeight
          ? 'AUTH_EXPIRED'
          : null;
      if (code === null) continue;
      this.#state.counters.add('peers_cut');
      this.#deps.logger.info({ hotkey: peer.hotkey, code }, 'peer cut off');
      this.connections.cut(peer, new PeerError(code));
    }
  }

  #context(): { genesisHash: string; netuid: number; membership: ReadonlySet<string>; finalizedHeight: number } {
    const { genesisHash, netuid } = this.#options;
    return {
      genesisHash,
      netuid,
      membership: this.#deps.membership(),
      finalizedHeight: this.#deps.finalizedHeight(),
    };
  }

  /** Gossip opens its streams when identify has run, and identify runs only now. */
  #welcome(peer: AuthenticatedPeer): void {
    const { allowPrivateAddresses } = this.#options;
    const addresses = foreignAddresses(peer.addresses, allowPrivateAddresses);
    this.#state.schedule.add('peer', addresses, peer.hotkey);
    this.host.services.identify.identify(peer.connection).catch((error: unknown) => {
      // The watchdog connects anew if this leaves gossip without a stream.
      this.#deps.logger.debug({ hotkey: peer.hotkey, code: errorCode(error) }, 'identify failed');
    });
  }

  /** Nothing is kept in libp2p's store of peers that are gone: it has no bound of its own. */
  #forget(peerId: PeerId): void {
    if (this.host.getConnections(peerId).length > 0) return;
    this.host.peerStore.delete(peerId).catch(() => {});
  }

  #told(): string[] {
    return this.host
      .getMultiaddrs()
      .slice(0, ADDRESSES_PER_PEER)
      .map((address) => address.toString());
  }

  #candidates(prefer: readonly string[]): AuthenticatedPeer[] {
    const rank = (peer: AuthenticatedPeer): number => {
      const at = prefer.indexOf(peer.hotkey);
      return at < 0 ? prefer.length : at;
    };
    const { scores } = this.#state;
    return this.connections
      .authenticated()
      .sort((a, b) => rank(a) - rank(b) || scores.score(b.hotkey) - scores.score(a.hotkey));
  }

  #tick(): void {
    this.#watchdog.tick();
    this.dialer.tick();
    this.#timer = this.#deps.clock.setTimeout(() => this.#tick(), this.#options.limits.tickMs);
  }
}
