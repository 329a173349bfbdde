import type { WasmEngineConfig } from '../../../config/arena/wasm-engine.ts';

/** The four slots in float64, written from `names.md` (WASM slots) and nothing else. */

type Numbers = ArrayLike<number>;

export function matmul(x: Numbers, w: Numbers, rows: number, k: number, n: number): number[] {
  return Array.from({ length: rows * n }, (_, at) => {
    const row = Math.floor(at / n);
    let sum = 0;
    for (let i = 0; i < k; i++) sum += (x[row * k + i] as number) * (w[(at % n) * k + i] as number);
    return sum;
  });
}

export function attention(
  q: Numbers,
  keys: Numbers,
  values: Numbers,
  heads: number,
  headDim: number,
  length: number,
): number[] {
  const width = heads * headDim;
  return Array.from({ length: heads }, (_, head) => {
    const scores = Array.from({ length }, (_, position) => {
      let sum = 0;
      for (let i = 0; i < headDim; i++) {
        const at = head * headDim + i;
        sum += (q[at] as number) * (keys[position * width + at] as number);
      }
      return sum / Math.sqrt(headDim);
    });
    const most = Math.max(...scores);
    const weights = scores.map((score) => Math.exp(score - most));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return Array.from({ length: headDim }, (_, i) =>
      weights.reduce((sum, w, p) => sum + (w / total) * (values[p * width + head * headDim + i] as number), 0),
    );
  }).flat();
}

export function siluAndMul(gateUp: Numbers, rows: number, n: number): number[] {
  return Array.from({ length: rows * n }, (_, at) => {
    const start = Math.floor(at / n) * 2 * n + (at % n);
    const gate = gateUp[start] as number;
    return (gate / (1 + Math.exp(-gate))) * (gateUp[start + n] as number);
  });
}

export function rmsnorm(x: Numbers, weight: Numbers, rows: number, n: number, eps: number): number[] {
  return Array.from({ length: rows }, (_, row) => {
    const values = Array.from({ length: n }, (_, i) => x[row * n + i] as number);
    const mean = values.reduce((sum, value) => sum + value * value, 0) / n;
    return values.map((value, i) => (value / Math.sqrt(mean + eps)) * (weight[i] as number));
  }).flat();
}

const MASK = (1n << 64n) - 1n;

/** Element of a tensor from the counter: SplitMix64's mixing of seed + (tensor, index) * the golden ratio. */
function uniform(seed: bigint, tensor: number, index: number): number {
  let z = (seed + ((BigInt(tensor) << 32n) | BigInt(index)) * 0x9e3779b97f4a7c15n) & MASK;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
  z ^= z >> 31n;
  return (Number(z >> 40n) - 0x800000) / 0x800000;
}

/** The whole transformer in float64, weights included. Its logits for every position of `tokens`. */
export function referenceLogits(config: WasmEngineConfig, tokens: readonly number[]): number[][] {
  const { dim, layers, heads, hidden, vocab } = config.shape;
  const seed = BigInt(config.seed);
  const eps = Number(config.rmsEps);
  const headDim = dim / heads;
  const matrices = 4 * layers + 1;
  const tensor = (number: number, count: number, of: (value: number, index: number) => number) =>
    Array.from({ length: count }, (_, i) => of(uniform(seed, number, i), i));
  const matrix = (number: number, k: number, n: number, gained = 0) =>
    tensor(number, k * n, (value, i) => value * Math.sqrt(3 / k) * (i < gained ? 1.75 : 1));
  const norms = tensor(matrices, (2 * layers + 1) * dim, (value) => 1 + 0.25 * value);
  const embedding = tensor(matrices + 1, vocab * dim, (value) => value * Math.sqrt(3));
  const norm = (x: number[], number: number) => rmsnorm(x, norms.slice(number * dim, (number + 1) * dim), 1, dim, eps);
  const weights = Array.from({ length: layers }, (_, layer) => ({
    qkv: matrix(4 * layer, dim, 3 * dim, 2 * dim * dim),
    output: matrix(4 * layer + 1, dim, dim),
    gateUp: matrix(4 * layer + 2, dim, 2 * hidden),
    down: matrix(4 * layer + 3, hidden, dim),
  }));
  const head = matrix(4 * layers, dim, vocab);
  const rotate = (row: number[], position: number) =>
    row.map((value, at) => {
      const half = headDim / 2;
      const i = at % headDim;
      const angle = position * 10_000 ** ((-2 * (i % half)) / headDim);
      const other = row[i < half ? at + half : at - half] as number;
      return value * Math.cos(angle) + (i < half ? -other : other) * Math.sin(angle);
    });
  const caches = weights.map(() => ({ keys: [] as number[], values: [] as number[] }));
  return tokens.map((token, position) => {
    let x = embedding.slice(token * dim, (token + 1) * dim);
    const add = (y: number[]) => x.map((value, i) => value + (y[i] as number));
    weights.forEach(({ qkv, output, gateUp, down }, layer) => {
      const cache = caches[layer] as (typeof caches)[number];
      const mixed = matmul(norm(x, 2 * layer), qkv, 1, dim, 3 * dim);
      cache.keys.push(...rotate(mixed.slice(dim, 2 * dim), position));
      cache.values.push(...mixed.slice(2 * dim));
      const q = rotate(mixed.slice(0, dim), position);
      const attended = attention(q, cache.keys, cache.values, heads, headDim, position + 1);
      x = add(matmul(attended, output, 1, dim, dim));
      const gated = siluAndMul(matmul(norm(x, 2 * layer + 1), gateUp, 1, dim, 2 * hidden), 1, hidden);
      x = add(matmul(gated, down, 1, hidden, dim));
    });
    return matmul(norm(x, 2 * layers), head, 1, dim, vocab);
  });
}
