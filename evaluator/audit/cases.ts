import type { SlotId } from '../candidate/types.ts';
import { SeedStream } from '../select/index.ts';
import { randomFloats } from './generator.ts';
import type { AuditPolicy } from './policy.ts';
import { inputSizes } from './slots.ts';

/** One direct call of a slot, as the seed plans it. */
export interface AuditCase {
  /** Number over all slots, from 0; names the output's file. */
  readonly index: number;
  readonly slot: SlotId;
  /** Shape arguments in the order of the slot's parameters. */
  readonly args: readonly number[];
  /** Its whole output is evidence. */
  readonly sampled: boolean;
  /** It is called again in a fresh lane. */
  readonly repeated: boolean;
}

export interface AuditPlan {
  readonly cases: readonly AuditCase[];
  /** Indices of the repeated cases, in the order of the second lane. */
  readonly repeats: readonly number[];
}

/** Largest counts of odd shapes, in the order of a slot's parameters; small, so that a case costs microseconds. */
const ODD_MOST: Readonly<Record<SlotId, readonly number[]>> = {
  'linear.matmul': [9, 211, 211],
  'attention.decode': [7, 41, 333],
  'activation.silu_and_mul': [9, 421],
  'norm.rmsnorm': [9, 421],
};

/** Powers of two that inputs are scaled by, by slot and input; one is drawn for each case. */
const SCALES: Readonly<Record<SlotId, readonly (readonly number[])[]>> = {
  'linear.matmul': [
    [0.125, 1, 4],
    [0.25, 1],
  ],
  'attention.decode': [
    [0.5, 1, 4],
    [1, 2],
    [0.25, 1, 2],
  ],
  'activation.silu_and_mul': [[0.5, 4, 16]],
  'norm.rmsnorm': [
    [0.125, 1, 8],
    [1, 2],
  ],
};

/**
 * The audit of a candidate: for every proposed slot the shapes the engine uses, then odd ones drawn from the seed.
 * At least one case of every slot is sampled. Pure: anyone with the seed plans the same calls.
 * @param slots the proposed slots, in any order
 */
export function planAudit(seed: string, policy: AuditPolicy, slots: readonly SlotId[]): AuditPlan {
  const cases: AuditCase[] = [];
  for (const slot of [...new Set(slots)].sort()) {
    const stream = new SeedStream(seed, `cacheon.audit.v1:${slot}`);
    const calls = policy.calls_per_slot;
    const numbers = Array.from({ length: calls }, (_, i) => i);
    const repeated = new Set(stream.shuffled(numbers).slice(0, policy.repeated_calls));
    const surely = stream.below(calls);
    for (const number of numbers) {
      const drawn = stream.below(1_000_000) < policy.sample_rate_ppm;
      cases.push({
        index: cases.length,
        slot,
        args: policy.shapes[slot][number] ?? ODD_MOST[slot].map((most) => 1 + stream.below(most)),
        sampled: drawn || number === surely,
        repeated: repeated.has(number),
      });
    }
  }
  const repeats = cases.flatMap((row) => (row.repeated ? [row.index] : []));
  return { cases, repeats: new SeedStream(seed, 'cacheon.audit.v1:order').shuffled(repeats) };
}

/** The f32 inputs of a case, in the order of the slot's parameters. */
export function caseInputs(seed: string, row: AuditCase): Float32Array[] {
  const stream = new SeedStream(seed, `cacheon.audit.v1:scale:${row.index}`);
  return inputSizes(row.slot, row.args).map((size, i) => {
    const scales = SCALES[row.slot][i] as readonly number[];
    const scale = scales[stream.below(scales.length)] as number;
    return randomFloats(seed, `cacheon.audit.v1:input:${row.index}:${i}`, size, scale);
  });
}
