import type { SlotName } from './kinds.ts';

/** Shape arguments of a slot, in the order of its parameters (`names.md`, WASM slots). */
export const SHAPE_FIELDS: Readonly<Record<SlotName, readonly string[]>> = {
  'linear.matmul': ['rows', 'k', 'n'],
  'attention.decode': ['heads', 'head_dim', 'length'],
  'activation.silu_and_mul': ['rows', 'n'],
  'norm.rmsnorm': ['rows', 'n'],
};

/** Largest shape argument of an audit call. */
export const SHAPE_MAX = 65_536;

export interface SlotSizes {
  /** Elements (f32) of each input, in the order of the parameters. */
  readonly inputs: readonly number[];
  readonly output: number;
}

/** The shape's arguments in order; null unless they are exactly the slot's, each an integer from 1 on. */
export function shapeArguments(slot: SlotName, shape: Readonly<Record<string, number>>): number[] | null {
  const fields = SHAPE_FIELDS[slot];
  if (Object.keys(shape).length !== fields.length) return null;
  const values: number[] = [];
  for (const field of fields) {
    const value = Object.hasOwn(shape, field) ? shape[field] : undefined;
    if (value === undefined || !Number.isInteger(value) || value < 1 || value > SHAPE_MAX) return null;
    values.push(value);
  }
  return values;
}

/** Sizes of a call's inputs and output. `args` as from `shapeArguments`. */
export function slotSizes(slot: SlotName, args: readonly number[]): SlotSizes {
  const [a = 0, b = 0, c = 0] = args;
  switch (slot) {
    case 'linear.matmul':
      return { inputs: [a * b, b * c], output: a * c };
    case 'attention.decode':
      return { inputs: [a * b, a * b * c, a * b * c], output: a * b };
    case 'activation.silu_and_mul':
      return { inputs: [2 * a * b], output: a * b };
    case 'norm.rmsnorm':
      return { inputs: [a * b, b], output: a * b };
  }
}

/** Domain fields of a call, by which a variant is chosen (`names.md`, WASM slots). */
export function callFields(slot: SlotName, args: readonly number[]): Record<string, number | string> {
  const [a = 0, b = 0, c = 0] = args;
  const common = { dtype: 'float32', graph_mode: 'eager' };
  if (slot !== 'attention.decode') return { ...common, num_tokens: a, last_dim: b };
  return { ...common, num_tokens: 1, kv_len: c, num_q_heads: a, num_kv_heads: a, head_dim: b };
}

/** Slot modules have this much memory, all of it from the start (`names.md`, WASM slots). */
export const MEMORY_PAGES = 512;
export const MEMORY_BYTES = MEMORY_PAGES * 65_536;
/** Bytes below this are the module's own. */
export const HOST_START = 65_536;
/** Room that `prepare` has beyond twice the matrix, bytes. */
export const PREPARED_EXTRA_BYTES = 4096;

/** Bytes of the region that `prepare` may fill for a [n][k] matrix. */
export function preparedBytes(k: number, n: number): number {
  return 8 * k * n + PREPARED_EXTRA_BYTES;
}

/** The next multiple of 16: every region starts at one. */
export function aligned(address: number): number {
  return Math.ceil(address / 16) * 16;
}
