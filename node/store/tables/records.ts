import { z } from 'zod';
import { canonicalDigest, type JsonValue } from '../../../evaluator/identity/index.ts';
import type { Database } from '../db/database.ts';
import { digest, integer, json, previousDigest, readOptional, readRows, toJson } from '../db/rows.ts';
import { StoreError } from '../errors.ts';
import { PAGE_MAX_ROWS } from '../limits.ts';

/** Domain of a cohort record's digest (`peer-protocol.md` section 8). */
const RECORD_DOMAIN = 'cacheon.peer.cohort.v1';

export interface StoredRecord {
  readonly cohort_index: number;
  readonly digest: string;
  /** Digest of the record before, "" for index 0. */
  readonly previous: string;
  readonly record: JsonValue;
}

export interface RecordsTable {
  /**
   * Appends a cohort record; index and previous digest must follow the last one. Only the first may have any index (a
   * node that started from a snapshot).
   * @throws StoreError STORE_CONFLICT
   */
  append(index: number, previous: string, record: JsonValue): StoredRecord;
  last(): StoredRecord | null;
  get(index: number): StoredRecord | null;
  byDigest(digest: string): StoredRecord | null;
  /** Newest first, those below `before` (all if null), at most PAGE_MAX_ROWS. */
  page(before: number | null, limit: number): StoredRecord[];
  /** Drops the records after one (`restart`). */
  dropAfter(index: number): void;
}

const row = z.strictObject({ cohort_index: integer, digest, previous: previousDigest, record: json });
const COLUMNS = 'cohort_index, digest, previous, record';

export function recordsTable(db: Database): RecordsTable {
  const insert = db.prepare(`INSERT INTO cohort_records (${COLUMNS}) VALUES (?, ?, ?, ?)`);
  const last = db.prepare(`SELECT ${COLUMNS} FROM cohort_records ORDER BY cohort_index DESC LIMIT 1`);
  const byIndex = db.prepare(`SELECT ${COLUMNS} FROM cohort_records WHERE cohort_index = ?`);
  const byDigest = db.prepare(`SELECT ${COLUMNS} FROM cohort_records WHERE digest = ?`);
  const page = db.prepare(
    `SELECT ${COLUMNS} FROM cohort_records WHERE cohort_index < ? ORDER BY cohort_index DESC LIMIT ?`,
  );
  const dropAfter = db.prepare('DELETE FROM cohort_records WHERE cohort_index > ?');
  const table: RecordsTable = {
    append(index, previous, record) {
      const before = table.last();
      if (before !== null && (index !== before.cohort_index + 1 || previous !== before.digest)) {
        throw new StoreError('STORE_CONFLICT', `record ${index} does not follow`, { field: 'cohort_records' });
      }
      const stored = { cohort_index: index, digest: canonicalDigest(RECORD_DOMAIN, record), previous, record };
      insert.run(index, stored.digest, previous, toJson(record));
      return stored;
    },
    last: () => readOptional(row, 'cohort_records', last.get()),
    get: (index) => readOptional(row, 'cohort_records', byIndex.get(index)),
    byDigest: (wanted) => readOptional(row, 'cohort_records', byDigest.get(wanted)),
    page: (before, limit) =>
      readRows(row, 'cohort_records', page.all(before ?? Number.MAX_SAFE_INTEGER, Math.min(limit, PAGE_MAX_ROWS))),
    dropAfter: (index) => {
      dropAfter.run(index);
    },
  };
  return table;
}
