import type { SlotId } from '../candidate/types.ts';
import { exp } from './exp.ts';

/**
 * The trusted result of a slot in doubles, with + - x / and sqrt alone (`names.md`, WASM slots).
 * @param args shape arguments in the order of the slot's parameters
 * @param inputs in the order of the slot's parameters
 */
export function slotReference(
  slot: SlotId,
  args: readonly number[],
  inputs: readonly Float32Array[],
  rmsEps: number,
): Float64Array {
  const [a = 0, b = 0, c = 0] = args;
  const [x, y, z] = inputs as [Float32Array, Float32Array, Float32Array];
  switch (slot) {
    case 'linear.matmul':
      return matmul(x, y, a, b, c);
    case 'attention.decode':
      return attention(x, y, z, a, b, c);
    case 'activation.silu_and_mul':
      return siluAndMul(x, a, b);
    case 'norm.rmsnorm':
      return rmsnorm(x, y, a, b, rmsEps);
  }
}

function matmul(x: Float32Array, w: Float32Array, rows: number, k: number, n: number): Float64Array {
  const out = new Float64Array(rows * n);
  for (let r = 0; r < rows; r++) {
    for (let o = 0; o < n; o++) {
      let sum = 0;
      for (let i = 0; i < k; i++) sum += (x[r * k + i] as number) * (w[o * k + i] as number);
      out[r * n + o] = sum;
    }
  }
  return out;
}

function attention(
  q: Float32Array,
  keys: Float32Array,
  values: Float32Array,
  heads: number,
  headDim: number,
  length: number,
): Float64Array {
  const out = new Float64Array(heads * headDim);
  const width = heads * headDim;
  const scale = 1 / Math.sqrt(headDim);
  const weights = new Float64Array(length);
  for (let head = 0; head < heads; head++) {
    const at = head * headDim;
    let most = Number.NEGATIVE_INFINITY;
    for (let p = 0; p < length; p++) {
      let score = 0;
      for (let i = 0; i < headDim; i++) score += (q[at + i] as number) * (keys[p * width + at + i] as number);
      weights[p] = score * scale;
      if ((weights[p] as number) > most) most = weights[p] as number;
    }
    let total = 0;
    for (let p = 0; p < length; p++) {
      weights[p] = exp((weights[p] as number) - most);
      total += weights[p] as number;
    }
    for (let i = 0; i < headDim; i++) {
      let sum = 0;
      for (let p = 0; p < length; p++) sum += (weights[p] as number) * (values[p * width + at + i] as number);
      out[at + i] = sum / total;
    }
  }
  return out;
}

function siluAndMul(gateUp: Float32Array, rows: number, n: number): Float64Array {
  const out = new Float64Array(rows * n);
  for (let r = 0; r < rows; r++) {
    for (let i = 0; i < n; i++) {
      const gate = gateUp[r * 2 * n + i] as number;
      const up = gateUp[r * 2 * n + n + i] as number;
      out[r * n + i] = (gate / (1 + exp(-gate))) * up;
    }
  }
  return out;
}

function rmsnorm(x: Float32Array, weight: Float32Array, rows: number, n: number, eps: number): Float64Array {
  const out = new Float64Array(rows * n);
  for (let r = 0; r < rows; r++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += (x[r * n + i] as number) * (x[r * n + i] as number);
    const scale = Math.sqrt(sum / n + eps);
    for (let i = 0; i < n; i++) out[r * n + i] = ((x[r * n + i] as number) / scale) * (weight[i] as number);
  }
  return out;
}
