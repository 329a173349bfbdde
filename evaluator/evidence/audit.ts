import { type AuditPlan, type MismatchKind, shapeOf } from '../audit/index.ts';
import { ObjectReader } from '../fields/index.ts';

/** What the candidate's lane did with one audit case. */
export interface AuditFact {
  /** SHA-256 of the output, f32 little-endian. */
  readonly sha256: string;
  /** False if it changed its inputs or bytes around its output. */
  readonly clean: boolean;
  /** False if no variant's domain matches, so that stock served the call. */
  readonly used_candidate: boolean;
  /** The same in the fresh lane, null where it was not repeated. */
  readonly repeat_sha256: string | null;
}

export interface AuditMismatch {
  readonly index: number;
  readonly kind: MismatchKind;
}

export interface AuditRecord {
  readonly facts: readonly AuditFact[];
  readonly mismatch: AuditMismatch | null;
}

/** audit.json. */
export function auditFile(plan: AuditPlan, record: AuditRecord): unknown {
  return {
    schema_version: 1,
    cases: plan.cases.map((row, i) => ({
      index: row.index,
      slot: row.slot,
      shape: shapeOf(row.slot, row.args),
      ...(record.facts[i] as AuditFact),
    })),
    mismatch: record.mismatch,
  };
}

/**
 * Reads audit.json against the cases the seed plans.
 * @throws FieldError
 */
export function parseAudit(value: unknown, plan: AuditPlan): AuditRecord {
  const reader = new ObjectReader(value, 'audit', ['schema_version', 'cases', 'mismatch']);
  reader.literal('schema_version', 1);
  const rows = reader.array('cases', plan.cases.length, plan.cases.length);
  return { facts: rows.map((row, i) => parseFact(row, plan, i)), mismatch: parseMismatch(reader, plan) };
}

function parseFact(row: unknown, plan: AuditPlan, i: number): AuditFact {
  const planned = plan.cases[i] as AuditPlan['cases'][number];
  const at = `audit.cases[${i}]`;
  const keys = ['index', 'slot', 'shape', 'sha256', 'clean', 'used_candidate', 'repeat_sha256'] as const;
  const fields = new ObjectReader(row, at, keys);
  fields.literal('index', planned.index);
  fields.literal('slot', planned.slot);
  const wanted = shapeOf(planned.slot, planned.args);
  const shape = new ObjectReader(fields.raw('shape'), fields.at('shape'), Object.keys(wanted));
  for (const [field, count] of Object.entries(wanted)) shape.literal(field, count);
  if (!planned.repeated) fields.literal('repeat_sha256', null);
  return {
    sha256: fields.digest('sha256'),
    clean: flag(fields, 'clean'),
    used_candidate: flag(fields, 'used_candidate'),
    repeat_sha256: planned.repeated ? fields.digest('repeat_sha256') : null,
  };
}

function parseMismatch(reader: ObjectReader, plan: AuditPlan): AuditMismatch | null {
  if (reader.raw('mismatch') === null) return null;
  const fields = new ObjectReader(reader.raw('mismatch'), 'audit.mismatch', ['index', 'kind']);
  return {
    index: fields.integer('index', 0, plan.cases.length - 1),
    kind: fields.oneOf('kind', ['tolerance', 'unclean', 'repeat']),
  };
}

function flag(fields: ObjectReader, key: string): boolean {
  const value = fields.raw(key);
  if (typeof value !== 'boolean') fields.fail('FIELD_VALUE', key, 'not a boolean');
  return value;
}
