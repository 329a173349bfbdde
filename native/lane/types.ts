import type { FieldRange, SlotId } from '../../evaluator/candidate/types.ts';

export type { FieldRange, SlotId };

/** One compiled module that replaces a slot where its domain matches; no match means the stock slot. */
export interface SlotModule {
  readonly slot: SlotId;
  readonly variant: string;
  /** The compiled module; checked (imports, exports, types) before it is instantiated. */
  readonly wasm: Uint8Array;
  readonly entry: string;
  /** Export of `prepare`, linear.matmul only. */
  readonly prepare: string | null;
  readonly domain: Readonly<Record<string, FieldRange>>;
}

export interface LaneSpec {
  readonly slotIndex: 0 | 1;
  /** Replaced slots. Every other slot runs the stock module through the same glue. */
  readonly modules: readonly SlotModule[];
}

/** One sequence of a block: a prompt and how many tokens to decode greedily after it. */
export interface Sequence {
  readonly prompt: readonly number[];
  readonly decode: number;
}

export interface BlockResult {
  /** Decoded tokens per sequence; the lane checked nothing, the host checks their counts. */
  readonly tokens: readonly (readonly number[])[];
  /** Host time around the request, nanoseconds of the monotonic clock. */
  readonly elapsedNs: bigint;
}

/** One direct call of a slot with given inputs, for audits (`names.md`: odd shapes, NaN in out, fresh instance). */
export interface AuditCall {
  readonly slot: SlotId;
  /** Shape arguments by the names of `names.md`: rows, k, n / heads, head_dim, length / rows, n. */
  readonly shape: Readonly<Record<string, number>>;
  /** f32 inputs in the order of the slot's parameters (x, w / q, k_cache, v_cache / gate_up / x, weight). */
  readonly inputs: readonly Float32Array[];
}

export interface AuditOutput {
  readonly output: Float32Array;
  /** False if the call changed its inputs or bytes around its output. */
  readonly clean: boolean;
  /** True if the candidate's module, not stock, served the call. */
  readonly usedCandidate: boolean;
}

/** Teacher-forced grade of one decoded token by the pristine reference. */
export interface TokenGrade {
  /** The reference's greedy token. */
  readonly best: number;
  /** Logit of that token and of the graded token, as exact f32 values. */
  readonly bestLogit: number;
  readonly tokenLogit: number;
}

/**
 * A running engine in its own process. Every call has a deadline through its signal; a malformed or late frame, a
 * trap or a death ends the lane with a LaneError whose fault says whose it is. `close` is idempotent and kills.
 */
export interface Lane {
  /** Facts for launch.json: sandbox used, process start-up, memory limits. */
  readonly facts: Readonly<Record<string, string | number | boolean>>;
  generate(sequences: readonly Sequence[], signal: AbortSignal): Promise<BlockResult>;
  /** Runs the calls in order in this instance. */
  audit(calls: readonly AuditCall[], signal: AbortSignal): Promise<readonly AuditOutput[]>;
  /** Teacher-forced: grades each token of each continuation. Meant for a lane without modules (T). */
  grade(
    sequences: readonly { readonly prompt: readonly number[]; readonly tokens: readonly number[] }[],
    signal: AbortSignal,
  ): Promise<readonly (readonly TokenGrade[])[]>;
  close(): Promise<void>;
}

export interface LaneFactory {
  open(spec: LaneSpec, signal: AbortSignal): Promise<Lane>;
}

/** Source of one candidate row, ready for the compiler. */
export interface BuildRow {
  readonly slot: SlotId;
  readonly variant: string;
  /** Path of the entry file and every file of the row, by bundle path. */
  readonly source: string;
  readonly files: readonly { readonly path: string; readonly data: Uint8Array }[];
  readonly entry: string;
  readonly prepare: string | null;
}

export type BuildOutcome =
  | { readonly ok: true; readonly wasm: Uint8Array; readonly sha256: string; readonly seconds: number }
  /** `candidate`: compiler failure, limit, listed file not read, imports, exports, types (reason build_failed). */
  | { readonly ok: false; readonly fault: 'candidate' | 'infrastructure'; readonly detail: string };

export interface Prebuild {
  /** Compiles one row in a process of its own, under the limits of `wasm-arena.md` section 5. */
  build(row: BuildRow, signal: AbortSignal): Promise<BuildOutcome>;
}
