import type { Counters } from '../counters.ts';
import { errorCode, PeerError } from '../errors.ts';
import type { AuthenticatedPeer } from '../guard/connections.ts';
import { offenceOf } from '../guard/guard.ts';
import type { Offence } from '../guard/scores.ts';
import {
  BLOB_MAX_BYTES,
  FETCH_CONCURRENCY,
  FETCH_ROUND_PAUSE_MS,
  FETCH_ROUNDS,
  type NetworkLimits,
} from '../limits.ts';
import type { FetchOptions, Logger } from '../types.ts';
import { deadline, raceSignal } from '../wire/deadline.ts';
import { Slots } from '../wire/slots.ts';
import { PartialBlob } from './partial.ts';
import { transfer } from './transfer.ts';

export interface FetcherDeps {
  /** Peers to ask, the best first. */
  candidates(prefer: readonly string[]): AuthenticatedPeer[];
  readonly limits: NetworkLimits;
  readonly counters: Counters;
  readonly logger: Logger;
  readonly lifetime: AbortSignal;
  readonly penalise: (hotkey: string, offence: Offence) => void;
  /** Waits on the injected clock. */
  pause(ms: number): Promise<void>;
}

interface Job {
  readonly digest: string;
  readonly maxBytes: number;
  partial: PartialBlob;
  /** Once bytes of several peers together were wrong, each must give the whole alone, so that the liar shows. */
  alone: boolean;
  busy: boolean;
  tooLarge: boolean;
}

/** Gets blobs by digest from whoever has them: in turn, resuming where the last one stopped, verified as a whole. */
export class BlobFetcher {
  readonly #deps: FetcherDeps;
  readonly #slots = new Slots(FETCH_CONCURRENCY);
  /** Streams open to each peer: one more than it takes would be refused as if it had nothing. */
  readonly #streams = new WeakMap<AuthenticatedPeer['connection'], Slots>();

  constructor(dependencies: FetcherDeps) {
    this.#deps = dependencies;
  }

  /** @throws PeerError BLOB_UNAVAILABLE, BLOB_TOO_LARGE; the signal's reason */
  async fetch(digest: string, options: FetchOptions = {}): Promise<Uint8Array> {
    const bound = deadline(MAX_FETCH_MS, this.#deps.lifetime, options.signal);
    try {
      return await this.#slots.run(bound.signal, () => this.#rounds(digest, options, bound.signal));
    } finally {
      bound.clear();
    }
  }

  async #rounds(digest: string, options: FetchOptions, signal: AbortSignal): Promise<Uint8Array> {
    const maxBytes = options.maxBytes ?? BLOB_MAX_BYTES;
    const job: Job = { digest, maxBytes, partial: new PartialBlob(), alone: false, busy: false, tooLarge: false };
    for (let round = 0; round < FETCH_ROUNDS; round++) {
      const wasAlone = job.alone;
      job.busy = false;
      for (const peer of this.#deps.candidates(options.prefer ?? [])) {
        const blob = await this.#attempt(job, peer, signal);
        if (blob !== null) return blob;
      }
      if (!job.busy && job.alone === wasAlone) break;
      if (job.busy) await raceSignal(this.#deps.pause(FETCH_ROUND_PAUSE_MS), signal);
    }
    throw new PeerError(job.tooLarge ? 'BLOB_TOO_LARGE' : 'BLOB_UNAVAILABLE', undefined, { field: digest });
  }

  /** Asks one peer. Null: nothing usable, the next one is asked. */
  async #attempt(job: Job, peer: AuthenticatedPeer, signal: AbortSignal): Promise<Uint8Array | null> {
    if (job.alone) job.partial = new PartialBlob();
    try {
      const before = job.partial.offset;
      const outcome = await this.#streamsOf(peer).run(signal, () => transfer(peer, job, this.#deps.limits, signal));
      this.#deps.counters.add('blob_bytes_fetched', job.partial.offset - before);
      if (outcome === 'busy') job.busy = true;
      if (outcome === 'too-large') job.tooLarge = true;
      if (outcome === 'disagrees') job.alone = true;
      return outcome === 'complete' ? this.#verify(job) : null;
    } catch (error) {
      signal.throwIfAborted();
      const offence = offenceOf(error);
      if (offence !== null) this.#deps.penalise(peer.hotkey, offence);
      this.#deps.logger.debug({ hotkey: peer.hotkey, code: errorCode(error) }, 'blob transfer failed');
      return null;
    }
  }

  #streamsOf({ connection }: AuthenticatedPeer): Slots {
    const known = this.#streams.get(connection);
    if (known !== undefined) return known;
    // The holder counts a stream until it has seen its end, a little longer than we do.
    const slots = new Slots(Math.max(1, this.#deps.limits.streamsPerPeer - 1));
    this.#streams.set(connection, slots);
    return slots;
  }

  #verify(job: Job): Uint8Array | null {
    const blob = job.partial.verified(job.digest);
    if (blob !== null) return blob;
    const [first, ...others] = job.partial.contributors;
    if (first !== undefined && others.length === 0) {
      this.#deps.counters.add('blob_lies');
      this.#deps.logger.warn({ hotkey: first, digest: job.digest }, 'peer served bytes of another digest');
      this.#deps.penalise(first, 'lie');
    } else {
      job.alone = true;
    }
    job.partial = new PartialBlob();
    return null;
  }
}

/** No fetch goes on longer than this, whatever the peers do. */
const MAX_FETCH_MS = 15 * 60_000;
