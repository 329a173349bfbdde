import {
  attended, context, dim, embedding, gated, gateUp, h, keys, layers, logits, qkv, tokens, values, x,
} from "./layout";
import { rotate, rowBytes } from "./rotary";
import { attention, keep, matmul, rmsnorm, siluAndMul } from "./slots";

function embed(start: i32, rows: i32): void {
  const bytes = rowBytes();
  for (let r = 0; r < rows; r++) {
    const token = load<i32>(tokens + ((<usize>(start + r)) << 2));
    memory.copy(x + <usize>r * bytes, embedding + <usize>token * bytes, bytes);
  }
}

/** x += h, the residual connection. */
function addResidual(rows: i32): void {
  const end = (<usize>(rows * dim)) << 2;
  for (let at: usize = 0; at < end; at += 4) store<f32>(x + at, load<f32>(x + at) + load<f32>(h + at));
}

/** Rotates queries and keys, appends to the cache, attends: position by position, as decoding does. */
function attend(layer: i32, start: i32, rows: i32): void {
  const bytes = rowBytes();
  for (let r = 0; r < rows; r++) {
    const position = start + r;
    const q = qkv + <usize>r * 3 * bytes;
    const cached = <usize>(layer * context + position) * bytes;
    rotate(q, position);
    rotate(q + bytes, position);
    memory.copy(keys + cached, q + bytes, bytes);
    memory.copy(values + cached, q + 2 * bytes, bytes);
    keep(layer, position);
    attention(attended + <usize>r * bytes, q, layer, position + 1);
  }
}

/**
 * Runs `rows` tokens that start at position `start` through the model. Logits are left in `logits`: of every row, or
 * of the last one only (then as the first row there).
 */
export function forward(start: i32, rows: i32, every: bool): void {
  embed(start, rows);
  for (let layer = 0; layer < layers; layer++) {
    rmsnorm(h, x, 2 * layer, rows);
    matmul(qkv, h, 4 * layer, rows);
    attend(layer, start, rows);
    matmul(h, attended, 4 * layer + 1, rows);
    addResidual(rows);
    rmsnorm(h, x, 2 * layer + 1, rows);
    matmul(gateUp, h, 4 * layer + 2, rows);
    siluAndMul(gated, gateUp, rows);
    matmul(h, gated, 4 * layer + 3, rows);
    addResidual(rows);
  }
  const last = every ? x : x + <usize>(rows - 1) * rowBytes();
  const count = every ? rows : 1;
  rmsnorm(h, last, 2 * layers, count);
  matmul(logits, h, 4 * layers, count);
}
