/** Frame kinds of the lane protocol, version 1 (`docs/LANES.md`). Requests are below 64, answers from 64 on. */
export const KIND = {
  load: 1,
  generate: 2,
  audit: 3,
  grade: 4,
  hello: 64,
  ready: 65,
  tokens: 66,
  outputs: 67,
  grades: 68,
  failed: 69,
  /** The compiler's process. */
  compile: 16,
  compiled: 80,
} as const;

export type SlotName = 'linear.matmul' | 'attention.decode' | 'activation.silu_and_mul' | 'norm.rmsnorm';

/** JSON of a `load` frame. Its body is the engine, then the modules, in this order. */
export interface LoadRequest {
  readonly engineBytes: number;
  readonly shape: {
    readonly dim: number;
    readonly layers: number;
    readonly heads: number;
    readonly hidden: number;
    readonly vocab: number;
    readonly context: number;
  };
  readonly prefillRows: number;
  readonly rmsEps: number;
  /** Unsigned 64-bit, decimal. */
  readonly seed: string;
  readonly modules: readonly LoadModule[];
}

/** A module of a `load` frame. Of the candidates of a slot the first whose domain matches serves a call, else stock. */
export interface LoadModule {
  readonly slot: SlotName;
  readonly variant: string;
  readonly candidate: boolean;
  readonly entry: string;
  readonly prepare: string | null;
  readonly domain: Readonly<
    Record<string, { readonly min?: number; readonly max?: number; readonly oneOf?: readonly (number | string)[] }>
  >;
  readonly bytes: number;
}

/** JSON of a `failed` frame: who failed, and how. Never text that a candidate chose. */
export interface Failure {
  /** `trap`: inside a slot call. `module`: it did not load. `crashed`: `prepare` broke its contract. */
  readonly reason: 'trap' | 'module' | 'crashed' | 'engine';
  readonly slot: SlotName | null;
  readonly variant: string | null;
  readonly candidate: boolean;
  readonly what: string;
}
