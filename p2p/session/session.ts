import type { Connection, PeerId } from '@libp2p/interface';
import { BLOB_PROTOCOL } from '../blob/messages.ts';
import { BLOB_SERVE_AHEAD_BYTES, blobServer } from '../blob/serve.ts';
import { PeerError } from '../errors.ts';
import { RateLimiter } from '../guard/gcra.ts';
import { parseAddress } from '../host/addresses.ts';
import type { PeerNetworkDeps } from '../types.ts';
import { WANT_PROTOCOL } from '../want/messages.ts';
import { WANT_AHEAD_BYTES, wantServer } from '../want/serve.ts';
import { createParts, type SessionParts } from './parts.ts';
import type { SessionOptions, SessionState } from './types.ts';

/** A blob stream may serve many chunks; each has its own deadline. */
const BLOB_STREAM_MS = 15 * 60_000;

/**
 * The network under one consensus digest, from listening to closed sockets. Another digest is another session: topic
 * and every handshake depend on it.
 */
export class Session {
  readonly parts: SessionParts;
  readonly #options: SessionOptions;
  readonly #deps: PeerNetworkDeps;
  readonly #state: SessionState;
  #timer: unknown = null;
  readonly #onOpen = (event: CustomEvent<Connection>): void => this.parts.authenticator.onOpen(event.detail);
  readonly #onDisconnect = (event: CustomEvent<PeerId>): void => this.#forget(event.detail);

  private constructor(parts: SessionParts, options: SessionOptions, deps: PeerNetworkDeps, state: SessionState) {
    this.parts = parts;
    this.#options = options;
    this.#deps = deps;
    this.#state = state;
  }

  /** Creates, registers and starts everything. On failure nothing stays open. */
  static async open(options: SessionOptions, deps: PeerNetworkDeps, state: SessionState): Promise<Session> {
    const session = new Session(await createParts(options, deps, state), options, deps, state);
    try {
      await session.#start();
    } catch (error) {
      await session.close();
      throw error;
    }
    return session;
  }

  async #start(): Promise<void> {
    const { host, authenticator, guard, gossip } = this.parts;
    await authenticator.register(host, guard);
    await this.#registerServers();
    host.addEventListener('connection:open', this.#onOpen);
    host.addEventListener('peer:disconnect', this.#onDisconnect);
    await host.start();
    gossip.open();
    this.#tick();
  }

  async #registerServers(): Promise<void> {
    const { host, guard } = this.parts;
    const { limits } = this.#options;
    const { counters } = this.#state;
    const { blobs: source, clock } = this.#deps;
    const bytes = { perMinute: limits.blobBytesPerSecond * 60, burst: limits.blobBurstBytes };
    const rates = new RateLimiter(bytes, () => clock.now());
    const blobBounds = { maxAheadBytes: BLOB_SERVE_AHEAD_BYTES, streamMs: BLOB_STREAM_MS };
    await guard.register(host, BLOB_PROTOCOL, blobBounds, blobServer({ source, rates, limits, counters }));
    const wantBounds = { maxAheadBytes: WANT_AHEAD_BYTES, streamMs: 2 * limits.frameTimeoutMs };
    await guard.register(host, WANT_PROTOCOL, wantBounds, wantServer({ source, limits, counters }));
  }

  /** Ends timers, dials, streams, connections and listeners. */
  async close(): Promise<void> {
    const { lifetime, gossip, host, dialer } = this.parts;
    lifetime.abort(new PeerError('NETWORK_STOPPED'));
    this.#deps.clock.clearTimeout(this.#timer);
    gossip.close();
    host.removeEventListener('connection:open', this.#onOpen);
    await dialer.settled();
    await host.stop();
    host.removeEventListener('peer:disconnect', this.#onDisconnect);
    this.#state.schedule.reset();
  }

  /** The listen addresses with the ports that were chosen for port 0, so that the next session keeps them. */
  listening(configured: readonly string[]): string[] {
    const actual = this.parts.host.getMultiaddrs().map((address) => address.getComponents());
    return configured.map((text) => {
      const [host, tcp] = parseAddress(text).getComponents();
      if (tcp?.value !== '0') return text;
      const bound = actual.find(([own]) => own?.name === host?.name)?.[1]?.value;
      return bound === undefined ? text : `/${host?.name}/${host?.value}/tcp/${bound}`;
    });
  }

  /** Cuts off who is no longer a member, and whose binding has expired; forgets where former members listen. */
  refreshMembership(): void {
    const { connections, chainContext } = this.parts;
    const { membership, finalizedHeight } = chainContext();
    this.#state.schedule.retainPeers(membership);
    for (const peer of connections.authenticated()) {
      const isMember = membership.has(peer.hotkey);
      if (isMember && finalizedHeight < peer.expiresHeight) continue;
      const code = isMember ? 'AUTH_EXPIRED' : 'AUTH_NOT_MEMBER';
      this.#state.counters.add('peers_cut');
      this.#deps.logger.info({ hotkey: peer.hotkey, code }, 'peer cut off');
      connections.cut(peer, new PeerError(code));
    }
  }

  /** Nothing is kept in libp2p's store of peers that are gone: it has no bound of its own. */
  #forget(peerId: PeerId): void {
    const { host } = this.parts;
    if (host.getConnections(peerId).length > 0) return;
    host.peerStore.delete(peerId).catch(() => {
      // Nothing was stored of it.
    });
  }

  #tick(): void {
    this.parts.watchdog.tick();
    this.parts.dialer.tick();
    this.#timer = this.#deps.clock.setTimeout(() => this.#tick(), this.#options.limits.tickMs);
  }
}
