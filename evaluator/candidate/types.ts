import type { JsonObject } from '../identity/index.ts';

/** The slots of the embedded WASM arena (`names.md`, WASM slots). */
export type SlotId = 'linear.matmul' | 'attention.decode' | 'activation.silu_and_mul' | 'norm.rmsnorm';

/** A condition on one field of a call (`bundle-format.md` section 5): a range, or a closed list of values. */
export interface FieldRange {
  readonly min?: number;
  readonly max?: number;
  readonly oneOf?: readonly (number | string)[];
}

/** One `ops` row of a contribution, ready for the compiler and for the lane. */
export interface CandidateRow {
  readonly slot: SlotId;
  readonly variant: string;
  /** Path of the entry file, one of `files`. */
  readonly source: string;
  /** Every file that the compiler is served for this row, by bundle path. */
  readonly files: readonly { readonly path: string; readonly data: Uint8Array }[];
  readonly entry: string;
  readonly prepare: string | null;
  readonly domain: Readonly<Record<string, FieldRange>>;
  /** True for rows of the proposal under test, false for rows the incumbent already has. */
  readonly proposed: boolean;
}

/** A proposal planned as one exact marginal change to the frozen incumbent (`protocol.md` section 6). */
export interface PlannedCandidate {
  readonly targetId: string;
  readonly members: readonly string[];
  readonly selectedPayloadDigest: string;
  readonly selectedDeltaDigest: string;
  readonly armDigest: string;
  readonly incumbentStackDigest: string;
  readonly incumbentTreeDigest: string;
  readonly candidateStackDigest: string;
  readonly candidateTreeDigest: string;
  readonly incumbentManifest: JsonObject;
  readonly candidateManifest: JsonObject;
  /** Replaced slots of B and B'. */
  readonly baselineRows: readonly CandidateRow[];
  /** Replaced slots of C: the incumbent's without what is displaced, and the proposal's. */
  readonly candidateRows: readonly CandidateRow[];
}
