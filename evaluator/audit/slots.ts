import type { SlotId } from '../candidate/types.ts';

export const SLOT_IDS: readonly SlotId[] = [
  'activation.silu_and_mul',
  'attention.decode',
  'linear.matmul',
  'norm.rmsnorm',
];

/** Count arguments of a slot by name, in the order of its parameters (`names.md`, WASM slots). */
export const SHAPE_FIELDS: Readonly<Record<SlotId, readonly string[]>> = {
  'linear.matmul': ['rows', 'k', 'n'],
  'attention.decode': ['heads', 'head_dim', 'length'],
  'activation.silu_and_mul': ['rows', 'n'],
  'norm.rmsnorm': ['rows', 'n'],
};

/** Elements of each input, in the order of the slot's parameters. `args` in the order of {@link SHAPE_FIELDS}. */
export function inputSizes(slot: SlotId, args: readonly number[]): number[] {
  const [a = 0, b = 0, c = 0] = args;
  switch (slot) {
    case 'linear.matmul':
      return [a * b, c * b];
    case 'attention.decode':
      return [a * b, a * b * c, a * b * c];
    case 'activation.silu_and_mul':
      return [a * b * 2];
    case 'norm.rmsnorm':
      return [a * b, b];
  }
}

/** Elements of the output. */
export function outputSize(slot: SlotId, args: readonly number[]): number {
  const [a = 0, b = 0, c = 0] = args;
  return slot === 'linear.matmul' ? a * c : a * b;
}

/** The arguments by name. */
export function shapeOf(slot: SlotId, args: readonly number[]): Record<string, number> {
  return Object.fromEntries(SHAPE_FIELDS[slot].map((field, i) => [field, args[i] as number]));
}
