import { z } from 'zod';
import { canonicalJson, type JsonValue, parseStrictJson } from '../../../evaluator/identity/index.ts';
import { StoreError } from '../errors.ts';
import type { Row } from './database.ts';

/** An INTEGER column that fits a number. */
export const integer = z
  .bigint()
  .refine((n) => n >= 0n && n <= BigInt(Number.MAX_SAFE_INTEGER))
  .transform(Number);
export const digest = z.string().regex(/^[0-9a-f]{64}$/);
export const optionalDigest = digest.nullable();
/** A digest, or "" before the first. */
export const previousDigest = z.union([digest, z.literal('')]);
/** A column of canonical JSON. */
export const json = z.string().transform((text, context): JsonValue => {
  try {
    return parseStrictJson(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'not strict JSON' });
    return z.NEVER;
  }
});

/**
 * Reads one row strictly; a row that does not fit means that somebody else wrote into the database.
 * @throws StoreError STORE_CORRUPT with the table and column
 */
export function readRow<T>(schema: z.ZodType<T>, table: string, row: Row): T {
  const result = schema.safeParse({ ...row });
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new StoreError('STORE_CORRUPT', issue?.message, { field: [table, ...(issue?.path ?? [])].join('.') });
}

/** As {@link readRow}; null for no row. */
export function readOptional<T>(schema: z.ZodType<T>, table: string, row: Row | undefined): T | null {
  return row === undefined ? null : readRow(schema, table, row);
}

/** As {@link readRow}, for a list. */
export function readRows<T>(schema: z.ZodType<T>, table: string, rows: readonly Row[]): T[] {
  return rows.map((row) => readRow(schema, table, row));
}

/** Text of a JSON column. */
export function toJson(value: unknown): string {
  return canonicalJson(value);
}
