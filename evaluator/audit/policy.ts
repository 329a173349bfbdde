import type { SlotId } from '../candidate/types.ts';
import { ObjectReader } from '../fields/index.ts';
import { parseDecimal } from '../identity/index.ts';
import { AuditError } from './errors.ts';
import { inputSizes, outputSize, SHAPE_FIELDS, SLOT_IDS } from './slots.ts';

/** Cases of one slot; keeps every case number in four digits. */
export const MAX_CALLS_PER_SLOT = 1000;
/** Elements of all inputs and the output of one case: 4 MiB of f32. */
export const MAX_CASE_ELEMENTS = 2 ** 20;

/** `audit_policy` of the evaluation object: how the slots of a candidate are compared with their references. */
export interface AuditPolicy {
  /** Cases of each proposed slot: the engine's own shapes first, then odd ones from the seed. */
  readonly calls_per_slot: number;
  /** Cases of each slot that are called again in a fresh lane, in another order. */
  readonly repeated_calls: number;
  /** Share of the cases whose whole output is evidence. */
  readonly sample_rate_ppm: number;
  /** Decimals: a value may differ by atol + rtol x |reference|. */
  readonly atol: string;
  readonly rtol: string;
  /** The engine's epsilon of RMSNorm, a decimal. */
  readonly rms_eps: string;
  /** Shapes the engine really uses, by slot, arguments in the order of the slot's parameters. */
  readonly shapes: Readonly<Record<SlotId, readonly (readonly number[])[]>>;
}

const KEYS = ['calls_per_slot', 'repeated_calls', 'sample_rate_ppm', 'atol', 'rtol', 'rms_eps', 'shapes'] as const;

/** @throws FieldError or AuditError AUDIT_POLICY_INVALID, naming the field */
export function parseAuditPolicy(value: unknown, at = 'audit_policy'): AuditPolicy {
  const reader = new ObjectReader(value, at, KEYS);
  const shapes = new ObjectReader(reader.object('shapes'), reader.at('shapes'), SLOT_IDS);
  const calls = reader.integer('calls_per_slot', 1, MAX_CALLS_PER_SLOT);
  return {
    calls_per_slot: calls,
    repeated_calls: reader.integer('repeated_calls', 1, calls),
    sample_rate_ppm: reader.integer('sample_rate_ppm', 1, 1_000_000),
    atol: decimal(reader, 'atol'),
    rtol: decimal(reader, 'rtol'),
    rms_eps: decimal(reader, 'rms_eps'),
    shapes: Object.fromEntries(
      SLOT_IDS.map((slot) => [slot, shapes.array(slot, 1, calls).map((row) => shapeArguments(slot, row, shapes))]),
    ) as unknown as AuditPolicy['shapes'],
  };
}

function decimal(reader: ObjectReader, key: string): string {
  const text = reader.raw(key);
  if (typeof text === 'string' && text.length <= 40 && parseDecimal(text) !== null) return text;
  throw new AuditError('AUDIT_POLICY_INVALID', 'not a canonical decimal', { field: reader.at(key) });
}

function shapeArguments(slot: SlotId, row: unknown, reader: ObjectReader): readonly number[] {
  const isShape =
    Array.isArray(row) &&
    row.length === SHAPE_FIELDS[slot].length &&
    row.every((count) => Number.isSafeInteger(count) && count >= 1 && count <= MAX_CASE_ELEMENTS);
  const args = row as readonly number[];
  if (isShape && inputSizes(slot, args).reduce((a, b) => a + b, outputSize(slot, args)) <= MAX_CASE_ELEMENTS) {
    return args;
  }
  throw new AuditError('AUDIT_POLICY_INVALID', 'not a shape of this slot', { field: reader.at(slot) });
}
