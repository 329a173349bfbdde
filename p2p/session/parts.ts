import { Authenticator } from '../auth/authenticator.ts';
import { type BindingContext, checkBinding } from '../binding/check.ts';
import { BlobFetcher } from '../blob/fetch.ts';
import { Dialer } from '../dial/dialer.ts';
import { Watchdog } from '../dial/watchdog.ts';
import { errorCode, PeerError } from '../errors.ts';
import { gossipTopic } from '../gossip/create.ts';
import { GossipRoom, gossipFlows } from '../gossip/room.ts';
import { type AuthenticatedPeer, Connections } from '../guard/connections.ts';
import { RateLimiter } from '../guard/gcra.ts';
import { Guard } from '../guard/guard.ts';
import type { Offence } from '../guard/scores.ts';
import { foreignAddresses } from '../host/addresses.ts';
import { createHost, type Host } from '../host/create.ts';
import { createGater } from '../host/gater.ts';
import { ADDRESSES_PER_PEER } from '../limits.ts';
import type { PeerNetworkDeps } from '../types.ts';
import type { SessionOptions, SessionState } from './types.ts';

/** The rooms of a session, wired to each other; nothing has started yet. */
export interface SessionParts {
  readonly topic: string;
  readonly lifetime: AbortController;
  readonly host: Host;
  readonly guard: Guard;
  readonly connections: Connections;
  readonly authenticator: Authenticator;
  readonly gossip: GossipRoom;
  readonly fetcher: BlobFetcher;
  readonly dialer: Dialer;
  readonly watchdog: Watchdog;
  penalise(hotkey: string, offence: Offence): void;
  chainContext(): BindingContext;
}

/** Builds the rooms. */
export async function createParts(
  options: SessionOptions,
  deps: PeerNetworkDeps,
  state: SessionState,
): Promise<SessionParts> {
  const { limits, allowPrivateAddresses, consensusDigest, genesisHash, netuid } = options;
  const { nodeKey, logger, clock } = deps;
  const { counters, schedule, scores, epochs } = state;
  const now = (): number => clock.now();
  const topic = gossipTopic(consensusDigest);
  const lifetime = new AbortController();
  const connections = new Connections(nodeKey.peerId, now);
  const penalise = penaliser(state, deps, connections);
  const common = { connections, counters, logger, limits, penalise };

  const guard = new Guard({
    ...common,
    requests: new RateLimiter({ perMinute: limits.requestsPerMinute, burst: limits.requestBurst }, now),
    lifetime: lifetime.signal,
  });
  const { maxUnauthenticated } = limits;
  const host = await createHost({
    nodeKey,
    listen: options.listen,
    announce: options.announce,
    allowPrivateAddresses,
    limits,
    topic,
    gater: createGater({ ownPeerId: nodeKey.peerId, allowPrivateAddresses, maxUnauthenticated, connections }),
    holding: (registrar) => guard.holding(registrar),
  });

  const chainContext = (): BindingContext => ({
    genesisHash,
    netuid,
    membership: deps.membership(),
    finalizedHeight: deps.finalizedHeight(),
  });
  /** Gossip opens its streams when identify has run, and identify runs only now. */
  const welcome = (peer: AuthenticatedPeer): void => {
    schedule.add('peer', foreignAddresses(peer.addresses, allowPrivateAddresses), peer.hotkey);
    host.services.identify.identify(peer.connection).catch((error: unknown) => {
      // The watchdog connects anew if this leaves gossip without a stream.
      logger.debug({ hotkey: peer.hotkey, code: errorCode(error) }, 'identify failed');
    });
  };
  const authenticator = new Authenticator({
    ...common,
    nodeKey,
    // Read at every handshake: a node that runs on renews it.
    get binding() {
      return deps.binding;
    },
    consensusDigest,
    epochs,
    scores,
    lifetime: lifetime.signal,
    addresses: () => host.getMultiaddrs().slice(0, ADDRESSES_PER_PEER).map(String),
    checkBinding: (signed, peerId) => {
      checkBinding(signed, peerId, chainContext(), deps.verifyHotkeySignature);
    },
    onAuthenticated: welcome,
  });
  const gossip = new GossipRoom(host.services.pubsub, topic, {
    ...common,
    rates: new RateLimiter({ perMinute: limits.gossipPerMinute, burst: limits.gossipBurst }, now),
    validateAnnouncement: (envelope, from) => deps.validateAnnouncement(envelope, from),
    onAnnouncement: (envelope, from) => state.onAnnouncement(envelope, from),
  });
  const fetcher = new BlobFetcher({
    ...common,
    candidates: (prefer) => byPreference(connections.authenticated(), prefer, (hotkey) => scores.score(hotkey)),
    lifetime: lifetime.signal,
    pause: (ms) => new Promise((resolve) => clock.setTimeout(resolve, ms)),
  });
  const dialer = new Dialer({ ...common, host, schedule, lifetime: lifetime.signal });
  const flows = (peer: AuthenticatedPeer): boolean => gossipFlows(peer.connection);
  const watchdog = new Watchdog({ ...common, schedule, now, muteAfterMs: limits.muteAfterMs, flows });
  return {
    topic,
    lifetime,
    host,
    guard,
    connections,
    authenticator,
    gossip,
    fetcher,
    dialer,
    watchdog,
    penalise,
    chainContext,
  };
}

/** Notes offences, and cuts off whom one of them bans. */
function penaliser(state: SessionState, deps: PeerNetworkDeps, connections: Connections): SessionParts['penalise'] {
  return (hotkey, offence) => {
    if (!state.scores.penalise(hotkey, offence)) return;
    state.counters.add('peers_banned');
    deps.logger.warn({ hotkey, offence }, 'peer banned');
    const peer = connections.byHotkey(hotkey);
    if (peer !== null) connections.cut(peer, new PeerError('AUTH_BANNED'));
  };
}

/** Peers in the order they are asked for bytes: preferred ones in the given order, then the best behaved. */
function byPreference(
  peers: readonly AuthenticatedPeer[],
  prefer: readonly string[],
  score: (hotkey: string) => number,
): AuthenticatedPeer[] {
  const rank = (peer: AuthenticatedPeer): number => {
    const at = prefer.indexOf(peer.hotkey);
    return at < 0 ? prefer.length : at;
  };
  return peers.toSorted((a, b) => rank(a) - rank(b) || score(b.hotkey) - score(a.hotkey));
}
