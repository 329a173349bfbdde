/**
 * Shape of the model and where everything lies. All addresses are multiples of 16; the first 64 KiB belong to the
 * compiler's static data. The host grows nothing: it gives a memory and checks `configure`'s answer against it.
 */

export let dim: i32 = 0;
export let layers: i32 = 0;
export let heads: i32 = 0;
export let headDim: i32 = 0;
export let hidden: i32 = 0;
export let vocab: i32 = 0;
export let context: i32 = 0;
/** Rows that one prefill step takes at most. */
export let maxRows: i32 = 0;

/** Start of the matrices, in their order (see `matrixAddress`), and of the norm weights, [2 * layers + 1][dim]. */
let matrices: usize = 0;
export let norms: usize = 0;
/** Token embedding, [vocab][dim]. */
export let embedding: usize = 0;
/** cos then sin of position * frequency, each [context][head_dim / 2]. */
export let rotaryCos: usize = 0;
export let rotarySin: usize = 0;
/** Key and value caches, each [layers][context][dim]. */
export let keys: usize = 0;
export let values: usize = 0;
/** Tokens of the sequence, i32[context + 1]; grades of decoded tokens, {i32, f32, f32}[context]. */
export let tokens: usize = 0;
export let grades: usize = 0;
/** Activations. */
export let x: usize = 0;
export let h: usize = 0;
export let qkv: usize = 0;
export let attended: usize = 0;
export let gateUp: usize = 0;
export let gated: usize = 0;
export let logits: usize = 0;

const FIRST: usize = 65536;
const MATRICES_PER_LAYER: i32 = 4;

let next: usize = 0;

function take(floats: i32): usize {
  const at = next;
  next = (next + ((<usize>floats) << 2) + 15) & ~15;
  return at;
}

/** Matrices: per layer qkv, attention output, gate_up, down; then the output head. */
export function matrixCount(): i32 {
  return layers * MATRICES_PER_LAYER + 1;
}

/** Input width of a matrix. */
export function matrixK(matrix: i32): i32 {
  return matrix < layers * MATRICES_PER_LAYER && matrix % MATRICES_PER_LAYER == 3 ? hidden : dim;
}

/** Output width of a matrix. */
export function matrixN(matrix: i32): i32 {
  if (matrix == layers * MATRICES_PER_LAYER) return vocab;
  const kind = matrix % MATRICES_PER_LAYER;
  return kind == 0 ? 3 * dim : kind == 2 ? 2 * hidden : dim;
}

export function matrixAddress(matrix: i32): usize {
  let at = matrices;
  for (let m = 0; m < matrix; m++) at += ((<usize>matrixK(m) * <usize>matrixN(m) << 2) + 15) & ~15;
  return at;
}

/** Sets the shape and places everything. Returns the bytes of memory it takes. */
export function place(
  dim_: i32,
  layers_: i32,
  heads_: i32,
  hidden_: i32,
  vocab_: i32,
  context_: i32,
  maxRows_: i32,
): usize {
  dim = dim_;
  layers = layers_;
  heads = heads_;
  headDim = dim_ / heads_;
  hidden = hidden_;
  vocab = vocab_;
  context = context_;
  maxRows = maxRows_;
  matrices = FIRST;
  next = matrixAddress(matrixCount());
  norms = take((2 * layers + 1) * dim);
  embedding = take(vocab * dim);
  rotaryCos = take((context * headDim) >> 1);
  rotarySin = take((context * headDim) >> 1);
  keys = take(layers * context * dim);
  values = take(layers * context * dim);
  tokens = take(context + 1);
  grades = take(3 * context);
  x = take(maxRows * dim);
  h = take(maxRows * dim);
  qkv = take(maxRows * 3 * dim);
  attended = take(maxRows * dim);
  gateUp = take(maxRows * 2 * hidden);
  gated = take(maxRows * hidden);
  logits = take(maxRows * vocab);
  return next;
}
