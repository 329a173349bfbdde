import { dim, embedding, layers, matrixAddress, matrixCount, matrixK, matrixN, norms, vocab } from "./layout";

/**
 * Weights from a counter: element i of tensor t is a function of (seed, t, i) alone, so a weight set is its seed and
 * its shape. The mixing is that of SplitMix64; only integer arithmetic and one exact scaling, the same everywhere.
 */
function uniform(seed: u64, tensor: u32, index: u32): f32 {
  let z: u64 = seed + (((<u64>tensor) << 32) | <u64>index) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  z = z ^ (z >> 31);
  return <f32>(<i32>(z >> 40) - 0x800000) * (1.0 / 8388608.0);
}

function fill(at: usize, count: i32, seed: u64, tensor: u32, first: i32, offset: f32, scale: f32): void {
  for (let i = 0; i < count; i++) {
    store<f32>(at + ((<usize>i) << 2), offset + scale * uniform(seed, tensor, <u32>(first + i)));
  }
}

/** A uniform on [-1, 1) has variance 1/3. */
const UNIT: f32 = 3.0;
/** Queries and keys are drawn larger, so that attention picks positions instead of averaging over all of them. */
const QUERY_KEY_GAIN: f32 = 1.75;
/** Norm weights are 1 plus or minus this. */
const NORM_SPREAD: f32 = 0.25;

/** Fills every weight. Tensor numbers: the matrices' own, then the norms, then the embedding. */
export function seedWeights(seed: u64): void {
  const count = matrixCount();
  for (let m = 0; m < count; m++) {
    const k = matrixK(m);
    const total = k * matrixN(m);
    const scale = sqrt<f32>(UNIT / <f32>k);
    // The first 2 * dim rows of a qkv matrix make queries and keys.
    const sharp = m < count - 1 && m % 4 == 0 ? 2 * dim * k : 0;
    fill(matrixAddress(m), sharp, seed, m, 0, 0, scale * QUERY_KEY_GAIN);
    fill(matrixAddress(m) + ((<usize>sharp) << 2), total - sharp, seed, m, sharp, 0, scale);
  }
  fill(norms, (2 * layers + 1) * dim, seed, count, 0, 1, NORM_SPREAD);
  fill(embedding, vocab * dim, seed, count + 1, 0, 0, sqrt<f32>(UNIT));
}
