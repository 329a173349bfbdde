import { type AuditCase, caseInputs } from './cases.ts';
import type { AuditPolicy } from './policy.ts';
import { slotReference } from './reference.ts';

/** Why a case refuses a candidate. */
export type MismatchKind = 'tolerance' | 'unclean' | 'repeat';

/**
 * The first element outside atol + rtol x |reference|, or -1. A NaN is outside; so is another length.
 */
export function firstOutside(output: Float32Array, reference: Float64Array, atol: number, rtol: number): number {
  if (output.length !== reference.length) return 0;
  for (let i = 0; i < output.length; i++) {
    const want = reference[i] as number;
    const difference = Math.abs((output[i] as number) - want);
    // Written so that a NaN on either side is outside.
    if (!(difference <= atol + rtol * Math.abs(want))) return i;
  }
  return -1;
}

/** True if the output of a case agrees with the trusted reference of its slot. */
export function agreesWithReference(seed: string, policy: AuditPolicy, row: AuditCase, output: Float32Array): boolean {
  const reference = slotReference(row.slot, row.args, caseInputs(seed, row), Number(policy.rms_eps));
  return firstOutside(output, reference, Number(policy.atol), Number(policy.rtol)) === -1;
}

/** f32 values as little-endian bytes: how outputs are hashed and kept as evidence. */
export function floatBytes(values: Float32Array): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i++) view.setFloat32(i * 4, values[i] as number, true);
  return bytes;
}

/** Reads {@link floatBytes}; null if the length is not exactly `count` values. */
export function readFloats(bytes: Uint8Array, count: number): Float32Array | null {
  if (bytes.length !== count * 4) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: count }, (_, i) => view.getFloat32(i * 4, true));
}
