/**
 * A decoder-only transformer with f32 weights: token embedding; per layer RMSNorm, attention with rotary positions and
 * a KV cache, RMSNorm, gated SwiGLU feed-forward; final norm, logits, greedy choice. Its four hot operations are calls
 * out of this module (`slots.ts`); everything here is what a candidate cannot touch.
 */
import { place } from "./layout";
import { fillRotary } from "./rotary";
import { seedWeights } from "./weights";

export { decode, gradeAll } from "./decode";
export { matrixAddress, matrixCount, matrixK, matrixN } from "./layout";

export { grades, keys, logits, norms, tokens, values } from "./layout";

/** Places a model of this shape. Returns the bytes of memory it takes; nothing is written yet. */
export function configure(
  dim: i32,
  layers: i32,
  heads: i32,
  hidden: i32,
  vocab: i32,
  context: i32,
  maxRows: i32,
): usize {
  return place(dim, layers, heads, hidden, vocab, context, maxRows);
}

/** Fills the weights of `seed` and the rotary tables. */
export function initialize(seed: u64): void {
  seedWeights(seed);
  fillRotary();
}
