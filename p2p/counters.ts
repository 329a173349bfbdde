import type { NetworkCounter, NetworkMetrics } from './types.ts';

const NAMES: readonly NetworkCounter[] = [
  'dials',
  'dials_failed',
  'auth_accepted',
  'auth_failed',
  'guard_refused',
  'rate_limited',
  'gossip_published',
  'gossip_accepted',
  'gossip_ignored',
  'gossip_rejected',
  'gossip_healed',
  'blob_chunks_served',
  'blob_bytes_served',
  'blob_bytes_fetched',
  'blob_lies',
  'want_served',
  'peers_cut',
  'peers_banned',
];

/** Counts what the network does, for status, and passes it on to metrics if there are any. */
export class Counters {
  readonly #values = new Map<NetworkCounter, number>(NAMES.map((name) => [name, 0]));
  readonly #metrics: NetworkMetrics | null;

  constructor(metrics: NetworkMetrics | null) {
    this.#metrics = metrics;
  }

  add(counter: NetworkCounter, by = 1): void {
    this.#values.set(counter, (this.#values.get(counter) ?? 0) + by);
    this.#metrics?.increment(counter, by);
  }

  all(): Record<NetworkCounter, number> {
    return Object.fromEntries(this.#values) as Record<NetworkCounter, number>;
  }
}
