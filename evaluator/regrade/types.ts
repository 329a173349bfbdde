import type { PlannedCandidate } from '../candidate/types.ts';
import type { GradedSequence, PlaceContext, SequenceGrades } from '../evidence/index.ts';
import type { TreeFile } from '../identity/index.ts';
import type { Graded } from '../peer/types.ts';
import type { Qualification } from '../settle/index.ts';
import type { RegradeErrorCode } from './errors.ts';

/** The reservation a place is about, from the chain. */
export interface ReservationFacts {
  /** The miner's hotkey. */
  readonly hotkey: string;
  readonly block: number;
  readonly event_index: number;
  readonly event_subindex: number;
}

export interface RegradeInput {
  /** Bytes whose SHA-256 is the anchored receipt digest. */
  readonly statement: Uint8Array;
  /** Stored bytes by their SHA-256, null if they are not here. */
  readonly blob: (sha256: string) => Uint8Array | null;
  /** The hashed files of the bundle the reservation names, null if they are not here. */
  readonly bundle: readonly TreeFile[] | null;
  readonly context: PlaceContext;
  readonly reservation: ReservationFacts;
  /** Digest of the counted attempt anchor. */
  readonly attemptDigest: string;
  /**
   * Plans the bundle against the cohort's incumbent. Throws a CacheonError with fault `candidate` if a rule refuses
   * the files; any other error passes through regrade.
   */
  readonly plan: (files: readonly TreeFile[]) => PlannedCandidate;
}

/** What T graded, so that whoever has a lane can grade it again (see confirmTrajectory). */
export interface GradedTrajectory {
  readonly sequences: readonly GradedSequence[];
  readonly grades: readonly SequenceGrades[];
}

export type RegradeOutcome =
  | {
      readonly status: 'missing';
      /** SHA-256 of blobs that are not here. */
      readonly blobs: readonly string[];
      /** True if the bundle's files are needed and not here. */
      readonly bundle: boolean;
    }
  | {
      readonly status: 'invalid';
      readonly graded: Graded;
      readonly code: RegradeErrorCode;
      readonly detail: string;
    }
  | {
      readonly status: 'graded';
      readonly graded: Graded;
      /** The reason of the statement, recomputed; null for PASS. */
      readonly reason: string | null;
      /** The settlement's qualification, for PASS only. */
      readonly qualification: Qualification | null;
      /** Null if the run ended before T. */
      readonly trajectory: GradedTrajectory | null;
    };
