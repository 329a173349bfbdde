import { context, dim, headDim, heads, rotaryCos, rotarySin } from "./layout";

const BASE: f64 = 10000.0;

/** cos and sin of position * BASE^(-2i / head_dim) for every position; f64 throughout, rounded once. */
export function fillRotary(): void {
  const half = headDim >> 1;
  for (let position = 0; position < context; position++) {
    for (let i = 0; i < half; i++) {
      const angle = <f64>position * Math.pow(BASE, (-2.0 * <f64>i) / <f64>headDim);
      const at = (<usize>(position * half + i)) << 2;
      store<f32>(rotaryCos + at, <f32>Math.cos(angle));
      store<f32>(rotarySin + at, <f32>Math.sin(angle));
    }
  }
}

/** Rotates one row [heads][head_dim] in place; element i of a head pairs with element i + head_dim / 2. */
export function rotate(row: usize, position: i32): void {
  const half = headDim >> 1;
  const table = (<usize>(position * half)) << 2;
  const apart = (<usize>half) << 2;
  for (let head = 0; head < heads; head++) {
    const base = row + ((<usize>(head * headDim)) << 2);
    for (let i = 0; i < half; i++) {
      const step = (<usize>i) << 2;
      const cos = load<f32>(rotaryCos + table + step);
      const sin = load<f32>(rotarySin + table + step);
      const a = load<f32>(base + step);
      const b = load<f32>(base + step + apart);
      store<f32>(base + step, a * cos - b * sin);
      store<f32>(base + step + apart, b * cos + a * sin);
    }
  }
}

/** Bytes of one row of activations of the model's width. */
export function rowBytes(): usize {
  return (<usize>dim) << 2;
}
