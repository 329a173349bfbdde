import type { Libp2p } from '@libp2p/interface';
import { multiaddr } from '@multiformats/multiaddr';
import type { Counters } from '../counters.ts';
import { errorCode, PeerError } from '../errors.ts';
import type { AuthenticatedPeer, Connections } from '../guard/connections.ts';
import { DIAL_CONCURRENCY, DIAL_TIMEOUT_MS, type NetworkLimits } from '../limits.ts';
import { within } from '../wire/deadline.ts';
import type { DialSchedule } from './schedule.ts';

export interface DialerDeps {
  readonly host: Libp2p;
  readonly schedule: DialSchedule;
  readonly connections: Connections;
  readonly limits: NetworkLimits;
  readonly counters: Counters;
  readonly lifetime: AbortSignal;
}

/** Dials what the schedule says. libp2p dials nobody by itself here: no discovery, no peer exchange, no reconnects. */
export class Dialer {
  readonly #deps: DialerDeps;
  readonly #running = new Set<Promise<unknown>>();

  constructor(dependencies: DialerDeps) {
    this.#deps = dependencies;
  }

  /** Starts the dials that are due, without waiting for them. */
  tick(): void {
    const { schedule, connections } = this.#deps;
    const room = DIAL_CONCURRENCY - this.#running.size;
    if (room <= 0) return;
    for (const key of schedule.due(room, (hotkey) => connections.byHotkey(hotkey) !== null)) {
      this.dial(key, this.#deps.lifetime).catch(() => {
        // The schedule holds the failure and when to try again.
      });
    }
  }

  /** Dials one target now: its addresses in turn, until one authenticates. @throws PeerError DIAL_FAILED, AUTH_* */
  dial(key: string, signal: AbortSignal): Promise<AuthenticatedPeer> {
    const work = this.#attempt(key, signal);
    this.#running.add(work);
    const done = (): void => {
      this.#running.delete(work);
    };
    work.then(done, done);
    return work;
  }

  /** Waits for the dials under way; they end by themselves once the lifetime signal aborts. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  async #attempt(key: string, signal: AbortSignal): Promise<AuthenticatedPeer> {
    const { schedule, counters } = this.#deps;
    const target = schedule.get(key);
    if (target === null) throw new PeerError('DIAL_FAILED', 'no such target');
    schedule.begin(key);
    let failure: unknown = null;
    for (const address of target.addresses) {
      counters.add('dials');
      try {
        const peer = await this.#connect(address, signal);
        if (target.source === 'chain' && target.hotkey !== null && peer.hotkey !== target.hotkey) {
          failure = new PeerError('DIAL_FAILED', 'another hotkey answered at this address');
          continue;
        }
        schedule.succeeded(key, peer.hotkey);
        return peer;
      } catch (error) {
        failure = error;
        if (isSelf(error)) break;
      }
    }
    counters.add('dials_failed');
    if (isSelf(failure)) schedule.remove(key);
    else schedule.failed(key, errorCode(failure));
    throw failure instanceof PeerError ? failure : new PeerError('DIAL_FAILED', undefined, { cause: failure });
  }

  async #connect(address: string, signal: AbortSignal): Promise<AuthenticatedPeer> {
    const { host, connections, limits } = this.#deps;
    return within(DIAL_TIMEOUT_MS + limits.authTimeoutMs, signal, async (bound) => {
      const connection = await host.dial(multiaddr(address), { signal: bound });
      connections.opened(connection);
      try {
        return await connections.whenAuthenticated(connection, bound);
      } catch (error) {
        // The other of two simultaneous connections stays: whoever is there is connected after all.
        const duplicate = connections.byPeerId(connection.remotePeer.toString());
        if (duplicate !== null) return duplicate;
        throw error;
      }
    });
  }
}

/** libp2p refuses to connect to its own peer id; which of its addresses are its own a node may not know. */
function isSelf(error: unknown): boolean {
  return error instanceof Error && error.name === 'InvalidPeerIdError';
}
