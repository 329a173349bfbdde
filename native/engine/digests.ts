import type { WasmEngineConfig } from '../../config/arena/wasm-engine.ts';
import { canonicalDigest, sha256Hex } from '../../evaluator/identity/index.ts';
import type { SlotId } from '../lane/types.ts';

/** The digests that an arena of this engine is made of (`names.md`, Arena). */
export interface EngineDigests {
  /** The compiled engine and stock slots, byte for byte, and their compiler. */
  readonly engineDigest: string;
  /** Shape and seed: the whole weight set. */
  readonly modelDigest: string;
  /** Lengths of prompts and sequences, warm-up, and the rows of a prefill step. */
  readonly workloadDigest: string;
  /** Tokens are bytes. */
  readonly tokenizerDigest: string;
}

export function engineDigests(
  engine: Uint8Array,
  stock: Readonly<Record<SlotId, Uint8Array>>,
  compiler: string,
  config: WasmEngineConfig,
): EngineDigests {
  const slots = Object.entries(stock).map(([slot, wasm]) => [slot, sha256Hex(wasm)]);
  return {
    engineDigest: canonicalDigest('cacheon.wasm.engine.v1', {
      schema_version: 1,
      compiler,
      engine: sha256Hex(engine),
      stock: Object.fromEntries(slots),
    }),
    modelDigest: canonicalDigest('cacheon.wasm.model.v1', {
      schema_version: 1,
      generator: 'splitmix64-counter.v1',
      rms_eps: config.rmsEps,
      seed: config.seed,
      shape: config.shape,
    }),
    workloadDigest: canonicalDigest('cacheon.wasm.workload.v1', {
      schema_version: 1,
      prefill_rows: config.prefillRows,
      workload: config.workload,
    }),
    tokenizerDigest: canonicalDigest('cacheon.wasm.tokenizer.v1', {
      schema_version: 1,
      kind: 'bytes',
      vocab: config.shape.vocab,
    }),
  };
}

/** runtime_digest of `names.md` for WASM arenas: what a node must have in common with another to measure alike. */
export function wasmRuntimeDigest(compiler: string): string {
  return canonicalDigest('cacheon.runtime.v1', {
    node: process.versions.node,
    v8: process.versions.v8,
    platform: process.platform,
    arch: process.arch,
    compiler,
  });
}
