import type { Connection, Libp2p } from '@libp2p/interface';
import type { SignedBinding } from '../binding/binding.ts';
import type { BindingEpochs } from '../binding/epochs.ts';
import type { Counters } from '../counters.ts';
import { errorCode, PeerError } from '../errors.ts';
import type { AuthenticatedPeer, Connections } from '../guard/connections.ts';
import type { Guard } from '../guard/guard.ts';
import type { Scores } from '../guard/scores.ts';
import type { NodeKey } from '../host/key.ts';
import { FRAME_MAX_BYTES, type NetworkLimits } from '../limits.ts';
import type { Logger } from '../types.ts';
import { deadline } from '../wire/deadline.ts';
import { WireStream } from '../wire/wire-stream.ts';
import { type HandshakeContext, initiate, respond, type VerifiedPeer } from './handshake.ts';
import { AUTH_PROTOCOL } from './messages.ts';

export interface AuthenticatorDeps {
  readonly nodeKey: NodeKey;
  readonly binding: SignedBinding;
  readonly consensusDigest: string;
  readonly limits: NetworkLimits;
  readonly connections: Connections;
  readonly epochs: BindingEpochs;
  readonly scores: Scores;
  readonly counters: Counters;
  readonly logger: Logger;
  readonly lifetime: AbortSignal;
  /** Our addresses, told to the peer. */
  addresses(): readonly string[];
  checkBinding(signed: SignedBinding, remotePeerId: string): void;
  /** Called after both sides have accepted. */
  onAuthenticated(peer: AuthenticatedPeer): void;
}

/** One frame, and its length field. */
const AHEAD_BYTES = FRAME_MAX_BYTES + 4;

/**
 * Authenticates every connection as soon as it opens: the dialer starts, the listener waits at most the deadline.
 * A dial that succeeded proves nothing: only {@link Connections.whenAuthenticated} tells.
 */
export class Authenticator {
  readonly #deps: AuthenticatorDeps;

  constructor(dependencies: AuthenticatorDeps) {
    this.#deps = dependencies;
  }

  async register(host: Libp2p, guard: Guard): Promise<void> {
    const bounds = { maxAheadBytes: AHEAD_BYTES, streamMs: this.#deps.limits.authTimeoutMs };
    await guard.registerAuthentication(host, AUTH_PROTOCOL, bounds, (wire, connection, signal) =>
      this.#run(connection, () => respond(wire, this.#context(connection), signal)),
    );
  }

  /** To be called with every connection that opens. */
  onOpen(connection: Connection): void {
    const { connections } = this.#deps;
    connections.opened(connection);
    const work = connection.direction === 'outbound' ? this.#dialed(connection) : this.#awaited(connection);
    work.catch((error: unknown) => {
      this.#deps.logger.debug({ code: errorCode(error) }, 'connection not authenticated');
      connections.fail(connection, error instanceof Error ? error : new PeerError('AUTH_REFUSED'));
    });
  }

  async #awaited(connection: Connection): Promise<void> {
    const bound = deadline(this.#deps.limits.authTimeoutMs, this.#deps.lifetime);
    try {
      await this.#deps.connections.whenAuthenticated(connection, bound.signal);
    } finally {
      bound.clear();
    }
  }

  async #dialed(connection: Connection): Promise<void> {
    if (!this.#deps.connections.beginHandshake(connection)) return;
    const bound = deadline(this.#deps.limits.authTimeoutMs, this.#deps.lifetime);
    try {
      const stream = await connection.newStream(AUTH_PROTOCOL, { signal: bound.signal });
      const wire = new WireStream(stream, AHEAD_BYTES);
      await this.#run(connection, async () => {
        await initiate(wire, this.#context(connection), bound.signal);
        await wire.close(bound.signal);
      });
    } finally {
      bound.clear();
    }
  }

  async #run(connection: Connection, handshake: () => Promise<void>): Promise<void> {
    try {
      await handshake();
      this.#deps.counters.add('auth_accepted');
    } catch (error) {
      this.#deps.counters.add('auth_failed');
      const peer = connection.remotePeer.toString();
      this.#deps.logger.info({ peer, code: errorCode(error) }, 'handshake failed');
      this.#deps.connections.fail(connection, error instanceof Error ? error : new PeerError('AUTH_REFUSED'));
      throw error;
    }
    const peer = this.#deps.connections.peerOf(connection);
    if (peer !== null) this.#deps.onAuthenticated(peer);
  }

  #context(connection: Connection): HandshakeContext {
    const { nodeKey, binding, consensusDigest } = this.#deps;
    const remotePeerId = connection.remotePeer.toString();
    return {
      nodeKey,
      binding,
      consensusDigest,
      remotePeerId,
      addresses: this.#deps.addresses(),
      checkBinding: (signed) => this.#deps.checkBinding(signed, remotePeerId),
      admit: (peer) => this.#admit(connection, peer),
    };
  }

  #admit(connection: Connection, peer: VerifiedPeer): void {
    if (this.#deps.scores.isBanned(peer.binding.hotkey)) throw new PeerError('AUTH_BANNED');
    this.#deps.epochs.admit(peer.binding);
    this.#deps.connections.authenticate(connection, peer);
  }
}
