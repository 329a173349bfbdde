import { isDigest } from '../evaluator/identity/index.ts';
import { BindingEpochs } from './binding/epochs.ts';
import { Counters } from './counters.ts';
import { DialSchedule } from './dial/schedule.ts';
import { errorCode, PeerError } from './errors.ts';
import { gossipTopic } from './gossip/create.ts';
import type { AuthenticatedPeer } from './guard/connections.ts';
import { Scores } from './guard/scores.ts';
import { announceAddresses, foreignAddresses, isNamedHost, isPublicAddress, parseAddress } from './host/addresses.ts';
import { DEFAULT_LIMITS, type NetworkLimits } from './limits.ts';
import { Session } from './session/session.ts';
import type {
  FetchOptions,
  KnownPeer,
  NetworkDescription,
  PeerIdentity,
  PeerInfo,
  PeerNetwork,
  PeerNetworkDeps,
  PeerNetworkOptions,
} from './types.ts';
import { askPeers } from './want/ask.ts';
import { deadline } from './wire/deadline.ts';

/**
 * The network between validators (`names.md`, Wire between peers). Nothing is opened before `start`.
 * @throws PeerError ADDRESS_INVALID, ADDRESS_PRIVATE for the operator's addresses
 */
export function createPeerNetwork(options: PeerNetworkOptions, deps: PeerNetworkDeps): PeerNetwork {
  return new Network(options, deps);
}

type AnnouncementHandler = (envelope: Uint8Array, from: PeerIdentity) => void;

class Network implements PeerNetwork {
  readonly #options: PeerNetworkOptions;
  readonly #deps: PeerNetworkDeps;
  readonly #limits: NetworkLimits;
  readonly #announce: readonly string[];
  readonly #scores: Scores;
  readonly #epochs = new BindingEpochs();
  readonly #schedule: DialSchedule;
  readonly #counters: Counters;
  readonly #handlers = new Set<AnnouncementHandler>();
  #consensusDigest: string;
  /** Where this node listens: after the first start the ports that were free then, so that a restart keeps them. */
  #listen: readonly string[];
  #session: Session | null = null;
  /** Starts and stops happen one after the other. */
  #turn: Promise<void> = Promise.resolve();

  constructor(options: PeerNetworkOptions, deps: PeerNetworkDeps) {
    const now = (): number => deps.clock.now();
    this.#options = options;
    this.#deps = deps;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#announce = announceAddresses(options.announce, options.allowPrivateAddresses);
    this.#scores = new Scores(now);
    this.#schedule = new DialSchedule({ now, random: Math.random });
    this.#counters = new Counters(deps.metrics);
    this.#consensusDigest = options.consensusDigest;
    this.#listen = options.listen;
    for (const address of options.bootstrap) this.#schedule.add('operator', [this.#operatorAddress(address)], null);
  }

  start(): Promise<void> {
    return this.#inTurn(() => this.#open());
  }

  stop(): Promise<void> {
    return this.#inTurn(() => this.#close());
  }

  setConsensusDigest(digest: string): Promise<void> {
    return this.#inTurn(async () => {
      if (digest === this.#consensusDigest) return;
      const running = this.#session !== null;
      await this.#close();
      this.#consensusDigest = digest;
      if (running) await this.#open();
    });
  }

  async publish(envelope: Uint8Array): Promise<{ readonly recipients: number }> {
    return this.#running().parts.gossip.publish(envelope);
  }

  onAnnouncement(handler: AnnouncementHandler): () => void {
    this.#handlers.add(handler);
    return () => {
      this.#handlers.delete(handler);
    };
  }

  async fetchBlob(digest: string, options: FetchOptions = {}): Promise<Uint8Array> {
    if (!isDigest(digest)) throw new PeerError('BLOB_UNAVAILABLE', 'not a digest', { field: 'digest' });
    return this.#running().parts.fetcher.fetch(digest, options);
  }

  async ask(
    digests: readonly string[],
    options: { signal?: AbortSignal } = {},
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const { connections, lifetime, penalise } = this.#running().parts;
    const bound = deadline(4 * this.#limits.frameTimeoutMs, lifetime.signal, options.signal);
    try {
      const { logger } = this.#deps;
      const dependencies = { limits: this.#limits, logger, penalise };
      return await askPeers(connections.authenticated(), digests, dependencies, bound.signal);
    } finally {
      bound.clear();
    }
  }

  async dial(address: string, options: { signal?: AbortSignal } = {}): Promise<PeerInfo> {
    const { dialer, lifetime } = this.#running().parts;
    const key = this.#schedule.add('operator', [this.#operatorAddress(address)], null);
    if (key === null) throw new PeerError('DIAL_FAILED', 'too many targets');
    const bound = deadline(DIAL_MS, lifetime.signal, options.signal);
    try {
      return this.#info(await dialer.dial(key, bound.signal));
    } finally {
      bound.clear();
    }
  }

  setKnownPeers(peers: readonly KnownPeer[]): void {
    const targets = new Map<string, readonly string[]>();
    for (const peer of peers) {
      const addresses = foreignAddresses(peer.addresses, this.#options.allowPrivateAddresses);
      const isSelf = peer.hotkey === this.#deps.binding.binding.hotkey;
      if (addresses.length > 0 && !isSelf) targets.set(peer.hotkey, addresses);
    }
    this.#schedule.replace('chain', targets);
  }

  peers(): PeerInfo[] {
    return this.#session?.parts.connections.authenticated().map((peer) => this.#info(peer)) ?? [];
  }

  addresses(): string[] {
    return this.#session?.parts.host.getMultiaddrs().map((address) => address.toString()) ?? [];
  }

  refreshMembership(): void {
    this.#session?.refreshMembership();
  }

  describeNetwork(): NetworkDescription {
    const session = this.#session;
    const connected = (hotkey: string | null): boolean =>
      hotkey !== null && session !== null && session.parts.connections.byHotkey(hotkey) !== null;
    return {
      state: session === null ? 'stopped' : 'running',
      peer_id: this.#deps.nodeKey.peerId,
      hotkey: this.#deps.binding.binding.hotkey,
      consensus_digest: this.#consensusDigest,
      topic: gossipTopic(this.#consensusDigest),
      listening: this.addresses(),
      announced: this.#announce,
      peers: this.peers(),
      unauthenticated: session?.parts.connections.pending().length ?? 0,
      targets: this.#schedule.targets().map((target) => ({
        addresses: target.addresses,
        hotkey: target.hotkey,
        connected: connected(target.hotkey),
        failures: target.failures,
        last_error: target.lastError,
      })),
      counters: this.#counters.all(),
    };
  }

  async #open(): Promise<void> {
    if (this.#session !== null) return;
    const { genesisHash, netuid, allowPrivateAddresses } = this.#options;
    this.#session = await Session.open(
      {
        listen: this.#listen,
        announce: this.#announce,
        genesisHash,
        netuid,
        consensusDigest: this.#consensusDigest,
        allowPrivateAddresses,
        limits: this.#limits,
      },
      this.#deps,
      {
        schedule: this.#schedule,
        scores: this.#scores,
        epochs: this.#epochs,
        counters: this.#counters,
        onAnnouncement: (envelope, from) => this.#deliver(envelope, from),
      },
    );
    this.#listen = this.#session.listening(this.#listen);
  }

  async #close(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    await session?.close();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  #running(): Session {
    if (this.#session === null) throw new PeerError('NETWORK_STOPPED');
    return this.#session;
  }

  #deliver(envelope: Uint8Array, from: PeerIdentity): void {
    for (const handler of this.#handlers) {
      try {
        handler(envelope, from);
      } catch (error) {
        this.#deps.logger.warn({ code: errorCode(error) }, 'announcement handler failed');
      }
    }
  }

  #info(peer: AuthenticatedPeer): PeerInfo {
    return {
      peerId: peer.peerId,
      hotkey: peer.hotkey,
      address: peer.connection.remoteAddr.toString(),
      authenticated: true,
      score: this.#scores.score(peer.hotkey),
      since: peer.since,
    };
  }

  /** An address the operator gave: may be a name, may be private only if that is allowed. */
  #operatorAddress(text: string): string {
    const address = parseAddress(text);
    if (!this.#options.allowPrivateAddresses && !isNamedHost(address) && !isPublicAddress(address)) {
      throw new PeerError('ADDRESS_PRIVATE', undefined, { field: text.slice(0, 80) });
    }
    return address.toString();
  }
}

/** One dial by hand: four addresses would not be tried longer. */
const DIAL_MS = 30_000;
