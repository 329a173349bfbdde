import { ChainError } from '../errors.ts';
import { type Chain, type Clock, type FinalizedHead, systemClock } from '../rpc/index.ts';
import { HeadTracker } from './head.ts';
import { POLL_MS, STALL_MS } from './limits.ts';
import { type Cursor, nextSegment } from './walk.ts';

export interface FollowOptions {
  /** The last block already taken, as stored. */
  readonly cursor: Cursor;
  readonly pollMs?: number;
  readonly stallMs?: number;
}

export interface FollowDependencies {
  readonly clock?: Clock;
  /** Finality stands still: the node stops acting and reports; called again for every further `stallMs`. */
  readonly onStall?: (quietMs: number) => void;
  readonly onRecovered?: () => void;
  /** An infrastructure error that is being retried, for logs. */
  readonly onRetry?: (error: ChainError) => void;
}

export interface FollowerStatus {
  /** Height of the newest finalized block seen, null before the first. */
  readonly finalized: number | null;
  /** Height of the last block handed out. */
  readonly taken: number;
  readonly stalled: boolean;
  /** Milliseconds since the newest finalized block arrived. */
  readonly quietMs: number;
}

/** Every finalized block after a cursor, once, in order. */
export interface Follower {
  /**
   * Iterates until the signal fires (its reason is thrown). Waits out what is infrastructure; throws FINALITY_CONFLICT,
   * WRONG_GENESIS and the other operator errors. One iteration at a time.
   */
  heads(signal: AbortSignal): AsyncGenerator<FinalizedHead, never, void>;
  status(): FollowerStatus;
}

export function createFollower(chain: Chain, options: FollowOptions, dependencies: FollowDependencies = {}): Follower {
  const { clock = systemClock, onStall = () => {}, onRecovered = () => {}, onRetry = () => {} } = dependencies;
  const { pollMs = POLL_MS, stallMs = STALL_MS } = options;
  const tracker = new HeadTracker(chain, { pollMs, stallMs }, { clock, onStall, onRecovered });
  let cursor = options.cursor;

  /** The blocks up to the head, or null if that has to be tried again. */
  async function segmentTo(head: FinalizedHead, signal: AbortSignal): Promise<readonly FinalizedHead[] | null> {
    try {
      return await nextSegment(chain, cursor, head, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof ChainError) || error.fault !== 'infrastructure') throw error;
      onRetry(error);
      chain.rpc.rotate();
      await clock.sleep(pollMs, signal);
      return null;
    }
  }

  return {
    status: () => ({
      finalized: tracker.head?.height ?? null,
      taken: cursor.height,
      stalled: tracker.stalled,
      quietMs: tracker.quietMs,
    }),
    async *heads(signal) {
      const stop = new AbortController();
      const both = AbortSignal.any([signal, stop.signal]);
      const tracking = tracker.run(both);
      try {
        for (;;) {
          const head = await tracker.above(cursor.height, both);
          for (const block of (await segmentTo(head, both)) ?? []) {
            yield block;
            // Only now has the caller come back for more: a block whose handling threw is handed out again.
            cursor = { height: block.height, hash: block.hash };
          }
        }
      } finally {
        stop.abort();
        await tracking;
      }
    },
  };
}
