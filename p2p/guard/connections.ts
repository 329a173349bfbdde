import type { Connection } from '@libp2p/interface';
import type { VerifiedPeer } from '../auth/handshake.ts';
import { PeerError } from '../errors.ts';
import { raceSignal } from '../wire/deadline.ts';

/** A peer whose hotkey is proven, on the one connection kept with it. */
export interface AuthenticatedPeer {
  readonly peerId: string;
  readonly hotkey: string;
  readonly expiresHeight: number;
  /** Where it says it listens. */
  readonly addresses: readonly string[];
  readonly connection: Connection;
  /** Clock time in ms. */
  readonly since: number;
}

interface Row {
  readonly connection: Connection;
  handshakeBegun: boolean;
  peer: AuthenticatedPeer | null;
}

/**
 * Every open connection, and who is at its other end. Authentication belongs to a connection: a new one of the same
 * peer begins anew. The map holds open connections only, which the host bounds.
 */
export class Connections {
  readonly #rows = new Map<string, Row>();
  /** How each handshake ended; outlives the row, because the reason may come after the close. */
  readonly #outcomes = new WeakMap<Connection, PromiseWithResolvers<AuthenticatedPeer>>();
  readonly #byHotkey = new Map<string, AuthenticatedPeer>();
  readonly #byPeerId = new Map<string, AuthenticatedPeer>();
  readonly #ownPeerId: string;
  readonly #now: () => number;

  constructor(ownPeerId: string, now: () => number) {
    this.#ownPeerId = ownPeerId;
    this.#now = now;
  }

  /** Follows a connection; calling it twice is harmless. */
  opened(connection: Connection): void {
    if (this.#rows.has(connection.id) || connection.status !== 'open') return;
    const outcome = Promise.withResolvers<AuthenticatedPeer>();
    outcome.promise.catch(() => {});
    this.#outcomes.set(connection, outcome);
    this.#rows.set(connection.id, { connection, handshakeBegun: false, peer: null });
    connection.addEventListener('close', () => this.closed(connection), { once: true });
  }

  closed(connection: Connection): void {
    const row = this.#rows.get(connection.id);
    if (row === undefined) return;
    this.#rows.delete(connection.id);
    // A handshake under way says itself why it failed.
    if (!row.handshakeBegun) this.#settle(connection, new PeerError('STREAM_ENDED', 'the connection closed'));
    if (row.peer !== null) {
      if (this.#byHotkey.get(row.peer.hotkey) === row.peer) this.#byHotkey.delete(row.peer.hotkey);
      if (this.#byPeerId.get(row.peer.peerId) === row.peer) this.#byPeerId.delete(row.peer.peerId);
    }
  }

  /** True once per connection: a second handshake on it is refused. */
  beginHandshake(connection: Connection): boolean {
    const row = this.#rows.get(connection.id);
    if (row === undefined || row.handshakeBegun) return false;
    row.handshakeBegun = true;
    return true;
  }

  /**
   * Counts the connection as authenticated, and sees to it that it is the only one with that hotkey: of two that
   * both ends dialed at once the lower peer id's dial stays, else the newer one (the older is likely dead).
   * @throws PeerError AUTH_DUPLICATE, STREAM_ENDED
   */
  authenticate(connection: Connection, verified: VerifiedPeer): AuthenticatedPeer {
    const row = this.#rows.get(connection.id);
    if (row === undefined || connection.status !== 'open') throw new PeerError('STREAM_ENDED', 'the connection closed');
    const existing = this.#byHotkey.get(verified.binding.hotkey);
    if (existing !== undefined && existing.connection.status === 'open') {
      if (!this.#replaces(connection, existing)) throw new PeerError('AUTH_DUPLICATE');
      // Gone before the new one is used: gossip would otherwise go on writing into its streams.
      existing.connection.abort(new PeerError('AUTH_DUPLICATE'));
      this.closed(existing.connection);
    }
    const peer: AuthenticatedPeer = {
      peerId: verified.binding.peer_id,
      hotkey: verified.binding.hotkey,
      expiresHeight: verified.binding.expires_height,
      addresses: verified.addresses,
      connection,
      since: this.#now(),
    };
    row.peer = peer;
    this.#byHotkey.set(peer.hotkey, peer);
    this.#byPeerId.set(peer.peerId, peer);
    this.#outcomes.get(connection)?.resolve(peer);
    return peer;
  }

  #replaces(connection: Connection, existing: AuthenticatedPeer): boolean {
    const remote = connection.remotePeer.toString();
    if (remote !== existing.peerId || connection.direction === existing.connection.direction) return true;
    const weDialed = connection.direction === 'outbound';
    return weDialed === this.#ownPeerId < remote;
  }

  /** Ends a connection that failed to authenticate; gracefully, so that the reason we gave still arrives. */
  fail(connection: Connection, error: Error): void {
    this.#settle(connection, error);
    this.closed(connection);
    connection.close().catch(() => connection.abort(error));
  }

  /** The peer at the other end, null before it has authenticated. */
  peerOf(connection: Connection): AuthenticatedPeer | null {
    return this.#rows.get(connection.id)?.peer ?? null;
  }

  /** Waits for the handshake's end. @throws what made it fail; the signal's reason */
  async whenAuthenticated(connection: Connection, signal: AbortSignal): Promise<AuthenticatedPeer> {
    const outcome = this.#outcomes.get(connection);
    if (outcome === undefined) throw new PeerError('STREAM_ENDED', 'the connection closed');
    return raceSignal(outcome.promise, signal);
  }

  #settle(connection: Connection, error: Error): void {
    this.#outcomes.get(connection)?.reject(error);
  }

  byPeerId(peerId: string): AuthenticatedPeer | null {
    return this.#byPeerId.get(peerId) ?? null;
  }

  byHotkey(hotkey: string): AuthenticatedPeer | null {
    return this.#byHotkey.get(hotkey) ?? null;
  }

  authenticated(): AuthenticatedPeer[] {
    return [...this.#byHotkey.values()];
  }

  pending(): Connection[] {
    return [...this.#rows.values()].filter((row) => row.peer === null).map((row) => row.connection);
  }

  /** Cuts a peer off. */
  cut(peer: AuthenticatedPeer, error: Error): void {
    peer.connection.abort(error);
    this.closed(peer.connection);
  }
}
