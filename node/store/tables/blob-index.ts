import { z } from 'zod';
import type { Database } from '../db/database.ts';
import { digest, integer, readOptional, readRow, readRows } from '../db/rows.ts';
import { PAGE_MAX_ROWS } from '../limits.ts';

/** What a blob is, for retention and for people. */
export const BLOB_KINDS = ['statement', 'binding', 'envelope', 'evidence-root', 'evidence-file', 'consensus'] as const;
export type BlobKind = (typeof BLOB_KINDS)[number];

/** A blob this node holds, written only after its bytes are durable. */
export interface BlobRow {
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  readonly kind: BlobKind;
  readonly created_height: number;
}

export interface BlobIndex {
  /** Adds a row; a digest that is there already keeps its row. */
  add(row: BlobRow): void;
  get(sha256: string): BlobRow | null;
  remove(sha256: string): void;
  /** Oldest first, created below a height: what retention may look at. */
  olderThan(height: number, limit: number): BlobRow[];
  /** Created at or above a height: what an interrupted measurement may have left. */
  since(height: number): BlobRow[];
  totals(): { readonly count: number; readonly bytes: number };
}

const row = z.strictObject({ sha256: digest, size: integer, kind: z.enum(BLOB_KINDS), created_height: integer });
const totalsRow = z.strictObject({ count: integer, bytes: integer });
const COLUMNS = 'sha256, size, kind, created_height';

export function blobIndex(db: Database): BlobIndex {
  const insert = db.prepare(`INSERT INTO blobs (${COLUMNS}) VALUES (?, ?, ?, ?) ON CONFLICT (sha256) DO NOTHING`);
  const select = db.prepare(`SELECT ${COLUMNS} FROM blobs WHERE sha256 = ?`);
  const remove = db.prepare('DELETE FROM blobs WHERE sha256 = ?');
  const older = db.prepare(
    `SELECT ${COLUMNS} FROM blobs WHERE created_height < ? ORDER BY created_height, sha256 LIMIT ?`,
  );
  const since = db.prepare(`SELECT ${COLUMNS} FROM blobs WHERE created_height >= ? ORDER BY created_height, sha256`);
  const totals = db.prepare('SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes FROM blobs');
  return {
    add: ({ sha256, size, kind, created_height }) => {
      insert.run(sha256, size, kind, created_height);
    },
    get: (sha256) => readOptional(row, 'blobs', select.get(sha256)),
    remove: (sha256) => {
      remove.run(sha256);
    },
    olderThan: (height, limit) => readRows(row, 'blobs', older.all(height, Math.min(limit, PAGE_MAX_ROWS))),
    since: (height) => readRows(row, 'blobs', since.all(height)),
    totals: () => readRow(totalsRow, 'blobs', totals.get() ?? {}),
  };
}
