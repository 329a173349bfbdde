import type { PlannedCandidate } from '../../evaluator/candidate/types.ts';
import type { EvidenceFile, PlaceContext, Stage } from '../../evaluator/evidence/index.ts';
import type { Runtime } from '../../evaluator/launch/index.ts';
import type { Verdict } from '../../evaluator/statement/index.ts';
import type { LaneFactory, Prebuild } from '../lane/types.ts';

/** What became of the bundle before measuring: planned, refused by a rule, or not to be had. */
export type BundleState =
  | { readonly state: 'planned'; readonly planned: PlannedCandidate }
  | { readonly state: 'refused'; readonly detail: string }
  | { readonly state: 'unavailable'; readonly detail: string };

export interface QualifyInput {
  readonly context: PlaceContext;
  /** 32 bytes; its commitment is in the anchored attempt. */
  readonly secret: Uint8Array;
  readonly bundle: BundleState;
}

/** A monotonic clock: the time and the only waits of a measurement. */
export interface MonotonicClock {
  /** Nanoseconds since an arbitrary point. */
  now(): bigint;
  /** Calls `run` after so many milliseconds; returns what cancels it. */
  after(milliseconds: number, run: () => void): () => void;
}

/** How far a measurement is, for displays. */
export interface Progress {
  readonly stage: Stage;
  /** Timed pairs so far. */
  readonly pairs: number;
  /** Median ratio of the pairs so far, a decimal; null before the first. */
  readonly speedup: string | null;
}

export interface QualifyDependencies {
  readonly lanes: LaneFactory;
  readonly prebuild: Prebuild;
  /** Holds the host-wide timing lock while `work` runs. */
  readonly withTimingLock: <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;
  readonly clock: MonotonicClock;
  /** What runs the lanes here. */
  readonly runtime: Runtime;
  readonly onProgress?: (progress: Progress) => void;
}

/** A result, ready for a statement. */
export type Qualified = Verdict & {
  readonly selectedDeltaDigest: string | null;
  readonly files: readonly EvidenceFile[];
};
