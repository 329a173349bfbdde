import type { Counters } from '../counters.ts';
import { PeerError } from '../errors.ts';
import type { AuthenticatedPeer, Connections } from '../guard/connections.ts';
import type { Logger } from '../types.ts';
import type { DialSchedule } from './schedule.ts';

export interface WatchdogDeps {
  readonly connections: Connections;
  readonly schedule: DialSchedule;
  readonly counters: Counters;
  readonly logger: Logger;
  readonly now: () => number;
  /** How long a peer may be mute, in ms. */
  readonly muteAfterMs: number;
  readonly flows: (peer: AuthenticatedPeer) => boolean;
}

/**
 * Heals mute peers: one whose gossip streams have ended while its connection stays up is cut and dialed again.
 * Measured: hanging up and redialing heals, nothing else does.
 */
export class Watchdog {
  readonly #deps: WatchdogDeps;
  /** Since when a connection has been mute; holds open connections only. */
  #muteSince = new Map<string, number>();

  constructor(dependencies: WatchdogDeps) {
    this.#deps = dependencies;
  }

  tick(): void {
    const { connections, schedule, counters, logger, now, muteAfterMs, flows } = this.#deps;
    const still = new Map<string, number>();
    for (const peer of connections.authenticated()) {
      if (flows(peer)) continue;
      const since = this.#muteSince.get(peer.connection.id) ?? now();
      if (now() - since < muteAfterMs) {
        still.set(peer.connection.id, since);
        continue;
      }
      counters.add('gossip_healed');
      logger.info({ hotkey: peer.hotkey }, 'gossip with this peer has stopped: connecting anew');
      connections.cut(peer, new PeerError('STREAM_ENDED', 'gossip stopped'));
      schedule.retryHotkey(peer.hotkey);
    }
    this.#muteSince = still;
  }
}
