/** Shape of the embedded arena's model; with the seed it is the whole weight set (`wasm-arena.md` section 1). */
export interface WasmModelShape {
  readonly dim: number;
  readonly layers: number;
  /** Query heads, and as many key and value heads. */
  readonly heads: number;
  readonly hidden: number;
  /** Tokens are bytes: one per value of a byte. */
  readonly vocab: number;
  /** Positions of the KV cache; prompt and decoded tokens together. */
  readonly context: number;
}

/** Everything of the embedded arena that is data. Changing any of it makes another arena with another digest. */
export interface WasmEngineConfig {
  readonly shape: WasmModelShape;
  /** Unsigned 64-bit seed of the weights, decimal. */
  readonly seed: string;
  /** Added to the mean square of every RMSNorm; an exact f32 as a decimal string. */
  readonly rmsEps: string;
  /** Rows that one prefill step hands to a slot at most. */
  readonly prefillRows: number;
  readonly workload: {
    /** Tokens of a prompt. */
    readonly minPrompt: number;
    readonly maxPrompt: number;
    /** Positions of a timed sequence, prompt and decoded tokens together. */
    readonly minPositions: number;
    readonly maxPositions: number;
    /** Untimed generation before the first timed block of a lane, milliseconds. */
    readonly prewarmMs: number;
  };
}

export const WASM_ENGINE: WasmEngineConfig = {
  shape: { dim: 64, layers: 4, heads: 4, hidden: 176, vocab: 256, context: 320 },
  seed: '5571204811846913907',
  rmsEps: '0.0000152587890625',
  prefillRows: 64,
  workload: { minPrompt: 16, maxPrompt: 240, minPositions: 256, maxPositions: 320, prewarmMs: 100 },
};
