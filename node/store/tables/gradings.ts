import { z } from 'zod';
import type { JsonValue } from '../../../evaluator/identity/index.ts';
import type { Graded } from '../../../evaluator/peer/index.ts';
import type { Database } from '../db/database.ts';
import { integer, json, readOptional, readRows, toJson } from '../db/rows.ts';
import { StoreError } from '../errors.ts';

/** What regrade made of the bytes of one counted receipt at its place. */
export interface Grading {
  readonly cohort_index: number;
  readonly place: number;
  readonly receipt_digest: string;
  readonly graded: Graded;
  /** Reason of the result, or what makes it INVALID; null for a PASS. */
  readonly reason: string | null;
  /** The settlement qualification of a PASS, else null. */
  readonly qualification: JsonValue | null;
}

export interface GradingsTable {
  /** A grading holds for the place the receipt was counted at: elsewhere the same bytes are not what was committed. */
  get(cohortIndex: number, place: number, receiptDigest: string): Grading | null;
  ofCohort(cohortIndex: number): Grading[];
  /**
   * Stores a grading. Regrade is pure: the same receipt at the same place always gives the same.
   * @throws StoreError STORE_CONFLICT if another grading is stored
   */
  put(grading: Grading): void;
  /** Drops the gradings of cohorts before one. */
  dropBefore(cohortIndex: number): void;
}

const graded = z.strictObject({
  result: z.enum(['PASS', 'FAIL', 'NO_DECISION', 'INVALID']),
  speedup: z.string().nullable(),
  target_id: z.string().nullable(),
  members: z.array(z.string()),
  selected_delta_digest: z.string().nullable(),
  candidate_stack_digest: z.string().nullable(),
});
const row = z.strictObject({
  cohort_index: integer,
  place: integer,
  receipt_digest: z.string(),
  graded: json.pipe(graded),
  reason: z.string().nullable(),
  qualification: json.nullable(),
});
const COLUMNS = Object.keys(row.shape).join(', ');

export function gradingsTable(db: Database): GradingsTable {
  const select = db.prepare(
    `SELECT ${COLUMNS} FROM gradings WHERE cohort_index = ? AND place = ? AND receipt_digest = ?`,
  );
  const byCohort = db.prepare(`SELECT ${COLUMNS} FROM gradings WHERE cohort_index = ? ORDER BY place`);
  const insert = db.prepare(`INSERT INTO gradings (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`);
  const dropBefore = db.prepare('DELETE FROM gradings WHERE cohort_index < ?');
  const get = (cohort: number, place: number, receipt: string): Grading | null =>
    readOptional(row, 'gradings', select.get(cohort, place, receipt));
  return {
    get,
    ofCohort: (cohort) => readRows(row, 'gradings', byCohort.all(cohort)),
    put(grading) {
      const { cohort_index: cohort, place, receipt_digest: receipt, reason, qualification } = grading;
      const proof = qualification === null ? null : toJson(qualification);
      insert.run(cohort, place, receipt, toJson(grading.graded), reason, proof);
      if (toJson(get(cohort, place, receipt)) !== toJson(grading)) {
        throw new StoreError('STORE_CONFLICT', 'regrade gave something else before', { field: `gradings[${receipt}]` });
      }
    },
    dropBefore: (cohort) => {
      dropBefore.run(cohort);
    },
  };
}
