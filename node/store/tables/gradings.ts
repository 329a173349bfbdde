import { z } from 'zod';
import type { Graded } from '../../../evaluator/peer/types.ts';
import type { Database } from '../db/database.ts';
import { json, readOptional, toJson } from '../db/rows.ts';
import { StoreError } from '../errors.ts';

export interface GradingsTable {
  get(receiptDigest: string): Graded | null;
  /**
   * Stores what regrade made of a receipt's bytes. Regrade is pure: the same receipt always gives the same.
   * @throws StoreError STORE_CONFLICT if another grading is stored
   */
  put(receiptDigest: string, cohortIndex: number, graded: Graded): void;
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
const row = z.strictObject({ graded: json.pipe(graded) });

export function gradingsTable(db: Database): GradingsTable {
  const select = db.prepare('SELECT graded FROM gradings WHERE receipt_digest = ?');
  const insert = db.prepare(
    'INSERT INTO gradings (receipt_digest, cohort_index, graded) VALUES (?, ?, ?) ON CONFLICT (receipt_digest) DO NOTHING',
  );
  const dropBefore = db.prepare('DELETE FROM gradings WHERE cohort_index < ?');
  const get = (receipt: string): Graded | null => readOptional(row, 'gradings', select.get(receipt))?.graded ?? null;
  return {
    get,
    put(receipt, cohort, value) {
      insert.run(receipt, cohort, toJson(value));
      if (toJson(get(receipt)) !== toJson(value)) {
        throw new StoreError('STORE_CONFLICT', 'regrade gave something else before', { field: `gradings[${receipt}]` });
      }
    },
    dropBefore: (cohort) => {
      dropBefore.run(cohort);
    },
  };
}
