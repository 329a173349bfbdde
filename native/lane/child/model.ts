import type { LoadRequest } from '../../wire/kinds.ts';

/** What the engine exports (`native/engine/assembly/index.ts`). */
export interface EngineExports {
  configure(
    dim: number,
    layers: number,
    heads: number,
    hidden: number,
    vocab: number,
    context: number,
    maxRows: number,
  ): number;
  initialize(seed: bigint): void;
  decode(promptLength: number, count: number): void;
  gradeAll(promptLength: number, total: number): void;
  matrixAddress(matrix: number): number;
  matrixCount(): number;
  matrixK(matrix: number): number;
  matrixN(matrix: number): number;
  readonly grades: WebAssembly.Global;
  readonly keys: WebAssembly.Global;
  readonly norms: WebAssembly.Global;
  readonly tokens: WebAssembly.Global;
  readonly values: WebAssembly.Global;
}

/** The engine's imports (`native/engine/assembly/slots.ts`). */
export interface EngineImports {
  matmul(out: number, x: number, matrix: number, rows: number): void;
  keep(layer: number, position: number): void;
  attention(out: number, q: number, layer: number, length: number): void;
  silu_and_mul(out: number, gateUp: number, rows: number): void;
  rmsnorm(out: number, x: number, norm: number, rows: number): void;
}

export interface Engine {
  readonly exports: EngineExports;
  readonly bytes: Uint8Array;
  readonly floats: Float32Array;
  readonly ints: Int32Array;
}

const PAGE_BYTES = 65_536;
/** Memory of the engine; `configure` says what of it the shape takes. */
const ENGINE_PAGES = 512;

/** Starts the engine with weights of the seed. `slots` is filled by the glue before the first forward pass. */
export function startEngine(bytes: Uint8Array<ArrayBuffer>, request: LoadRequest, slots: EngineImports): Engine {
  const memory = new WebAssembly.Memory({ initial: ENGINE_PAGES, maximum: ENGINE_PAGES });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
    env: { memory },
    slots: { ...slots },
  });
  const exports = instance.exports as unknown as EngineExports;
  const { dim, layers, heads, hidden, vocab, context } = request.shape;
  const need = exports.configure(dim, layers, heads, hidden, vocab, context, request.prefillRows);
  if (need > ENGINE_PAGES * PAGE_BYTES) throw new Error('the model does not fit the memory of the engine');
  exports.initialize(BigInt(request.seed));
  return {
    exports,
    bytes: new Uint8Array(memory.buffer),
    floats: new Float32Array(memory.buffer),
    ints: new Int32Array(memory.buffer),
  };
}
