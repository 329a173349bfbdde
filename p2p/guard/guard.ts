import type { Connection, Libp2p, Stream, StreamHandler, StreamHandlerOptions } from '@libp2p/interface';
import { FieldError } from '../../evaluator/fields/index.ts';
import type { Counters } from '../counters.ts';
import { errorCode, PeerError } from '../errors.ts';
import { GOSSIP_HELD_BYTES, type NetworkLimits } from '../limits.ts';
import type { Logger } from '../types.ts';
import { deadline, within } from '../wire/deadline.ts';
import { WireStream } from '../wire/wire-stream.ts';
import type { AuthenticatedPeer, Connections } from './connections.ts';
import type { RateLimiter } from './gcra.ts';
import type { Offence } from './scores.ts';

/** Serves one stream; when it returns the stream is closed, when it throws the stream is aborted. */
export type GuardedHandler = (wire: WireStream, peer: AuthenticatedPeer, signal: AbortSignal) => Promise<void>;
export type AuthHandler = (wire: WireStream, connection: Connection, signal: AbortSignal) => Promise<void>;

export interface ProtocolBounds {
  /** Bytes the peer may have sent ahead of what was read. */
  readonly maxAheadBytes: number;
  /** Life of one stream, in ms. */
  readonly streamMs: number;
}

/** The part of a libp2p registrar that takes handlers. */
export interface HandlerRegistrar {
  handle(protocol: string, handler: StreamHandler, options?: StreamHandlerOptions): Promise<void>;
}

/**
 * The one way in: every protocol's handler is registered here, and none but that of authentication sees a stream of
 * a connection that has not authenticated. (libp2p's own stream middleware is not used: 3.3.11 appends to the stored
 * list on every stream, so each stream would run all earlier handlers again.)
 */
export class Guard {
  readonly #connections: Connections;
  readonly #requests: RateLimiter;
  readonly #limits: NetworkLimits;
  readonly #counters: Counters;
  readonly #logger: Logger;
  readonly #lifetime: AbortSignal;
  readonly #penalise: (hotkey: string, offence: Offence) => void;

  constructor(dependencies: {
    readonly connections: Connections;
    readonly requests: RateLimiter;
    readonly limits: NetworkLimits;
    readonly counters: Counters;
    readonly logger: Logger;
    /** Aborts when the network stops. */
    readonly lifetime: AbortSignal;
    readonly penalise: (hotkey: string, offence: Offence) => void;
  }) {
    this.#connections = dependencies.connections;
    this.#requests = dependencies.requests;
    this.#limits = dependencies.limits;
    this.#counters = dependencies.counters;
    this.#logger = dependencies.logger;
    this.#lifetime = dependencies.lifetime;
    this.#penalise = dependencies.penalise;
  }

  /** Registers a protocol for authenticated peers. */
  async register(host: Libp2p, protocol: string, bounds: ProtocolBounds, handler: GuardedHandler): Promise<void> {
    await this.#handle(host, protocol, (stream, connection) => {
      const peer = this.#connections.peerOf(connection);
      if (peer === null) return this.#refuse(stream, protocol, 'AUTH_REQUIRED');
      if (!this.#requests.take(`${peer.hotkey} ${protocol}`)) {
        this.#penalise(peer.hotkey, 'rate');
        this.#counters.add('rate_limited');
        return this.#refuse(stream, protocol, 'RATE_LIMITED');
      }
      return this.#serve(stream, bounds, (wire, signal) => handler(wire, peer, signal), peer);
    });
  }

  /** Registers authentication itself: once per connection, and only on one that the peer dialed. */
  async registerAuthentication(
    host: Libp2p,
    protocol: string,
    bounds: ProtocolBounds,
    handler: AuthHandler,
  ): Promise<void> {
    await this.#handle(host, protocol, (stream, connection) => {
      this.#connections.opened(connection);
      if (connection.direction !== 'inbound' || !this.#connections.beginHandshake(connection)) {
        return this.#refuse(stream, protocol, 'STREAM_REFUSED');
      }
      return this.#serve(stream, bounds, (wire, signal) => handler(wire, connection, signal), null);
    });
  }

  /**
   * A registrar for a library's own protocols (gossip): a stream waits, unread, until its connection has
   * authenticated, and is dropped if that fails. Waiting, not refusing: peers may open it before they are done.
   */
  holding<R extends HandlerRegistrar>(registrar: R): R {
    const handle: HandlerRegistrar['handle'] = (protocol, handler, options) =>
      registrar.handle(protocol, (stream, connection) => this.#hold(stream, connection, handler), options);
    return new Proxy(registrar, {
      get(target, key) {
        if (key === 'handle') return handle;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  async #hold(stream: Stream, connection: Connection, handler: StreamHandler): Promise<void> {
    this.#connections.opened(connection);
    if (this.#connections.peerOf(connection) === null) {
      const allowed = stream.maxReadBufferLength;
      stream.maxReadBufferLength = GOSSIP_HELD_BYTES;
      const bound = deadline(this.#limits.authTimeoutMs, this.#lifetime);
      try {
        await this.#connections.whenAuthenticated(connection, bound.signal);
      } catch {
        return this.#refuse(stream, stream.protocol, 'AUTH_REQUIRED');
      } finally {
        bound.clear();
      }
      stream.maxReadBufferLength = allowed;
    }
    if (this.#connections.peerOf(connection) === null) return this.#refuse(stream, stream.protocol, 'AUTH_REQUIRED');
    await handler(stream, connection);
  }

  async #handle(host: Libp2p, protocol: string, handler: StreamHandler): Promise<void> {
    await host.handle(protocol, handler, {
      maxInboundStreams: this.#limits.streamsPerPeer,
      maxOutboundStreams: this.#limits.streamsPerPeer,
    });
  }

  #refuse(stream: Stream, protocol: string, code: 'AUTH_REQUIRED' | 'RATE_LIMITED' | 'STREAM_REFUSED'): void {
    this.#counters.add('guard_refused');
    this.#logger.debug({ protocol, code }, 'stream refused');
    stream.abort(new PeerError(code));
  }

  async #serve(
    stream: Stream,
    bounds: ProtocolBounds,
    work: (wire: WireStream, signal: AbortSignal) => Promise<void>,
    peer: AuthenticatedPeer | null,
  ): Promise<void> {
    const wire = new WireStream(stream, bounds.maxAheadBytes);
    const bound = deadline(bounds.streamMs, this.#lifetime);
    try {
      await work(wire, bound.signal);
      // A peer that leaves its side open would keep the stream, and with it a slot, for good.
      await within(this.#limits.frameTimeoutMs, bound.signal, async (signal) => {
        await wire.close(signal);
        await wire.closed(signal);
      });
    } catch (error) {
      const offence = offenceOf(error);
      if (peer !== null && offence !== null) this.#penalise(peer.hotkey, offence);
      this.#logger.debug({ protocol: stream.protocol, code: errorCode(error) }, 'stream ended early');
      wire.abort(error instanceof Error ? error : new PeerError('STREAM_ENDED'));
    } finally {
      bound.clear();
    }
  }
}

/** What an error says about the peer that caused it; null if it may have been anything. */
export function offenceOf(error: unknown): Offence | null {
  if (error instanceof FieldError) return 'malformed';
  if (!(error instanceof PeerError)) return null;
  if (error.code === 'FRAME_MALFORMED' || error.code === 'FRAME_TOO_LARGE') return 'malformed';
  return error.code === 'STREAM_OVERFLOW' ? 'overflow' : null;
}
