import type { SlotName } from './kinds.ts';
import { aligned, HOST_START, preparedBytes, slotSizes } from './slots.ts';

/** Bytes left between two regions of an audit, so that an overrun meets bytes that are compared. */
export const GUARD_BYTES = 4096;

export interface CallPlace {
  /** Address of each input, in the order of the parameters. */
  readonly inputs: readonly number[];
  readonly output: number;
}

export interface AuditLayout {
  readonly calls: readonly CallPlace[];
  /** Where a matrix waits for `prepare`; overwritten afterwards. */
  readonly staging: number;
  /** One past the last byte used. */
  readonly end: number;
}

/**
 * Where the calls of one audit lie in the memory of one module: the matrices side by side, because all are prepared
 * before the first call, then a staging area, then one work area that the calls use in turn.
 */
export function auditLayout(slot: SlotName, calls: readonly (readonly number[])[]): AuditLayout {
  let next = HOST_START + GUARD_BYTES;
  const take = (bytes: number): number => {
    const at = next;
    next = aligned(at + bytes) + GUARD_BYTES;
    return at;
  };
  const matrices: number[] = [];
  let largest = 0;
  if (slot === 'linear.matmul') {
    for (const [, k = 0, n = 0] of calls) {
      matrices.push(take(preparedBytes(k, n)));
      largest = Math.max(largest, 4 * k * n);
    }
  }
  const staging = take(largest);
  const work = next;
  let end = next;
  const places = calls.map((args, index): CallPlace => {
    next = work;
    const sizes = slotSizes(slot, args);
    const inputs = sizes.inputs.map((count, input) => {
      const matrix = input === 1 ? matrices[index] : undefined;
      return matrix ?? take(4 * count);
    });
    const output = take(4 * sizes.output);
    end = Math.max(end, next);
    return { inputs, output };
  });
  return { calls: places, staging, end };
}
