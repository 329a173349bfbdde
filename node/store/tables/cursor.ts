import { z } from 'zod';
import type { Database } from '../db/database.ts';
import { integer, readOptional } from '../db/rows.ts';
import { StoreError } from '../errors.ts';

/** A finalized block: its height, and "0x" + 64 hex. */
export interface BlockRef {
  readonly height: number;
  readonly hash: string;
}

export interface CursorTable {
  get(): BlockRef | null;
  /**
   * Moves forward by one block or more.
   * @throws StoreError STORE_CONFLICT for a step back, or another hash at the same height
   */
  advance(to: BlockRef): void;
  /** Goes back: only for the restart of `peer-protocol.md` section 2. */
  rewind(to: BlockRef): void;
}

const cursorRow = z.strictObject({ height: integer, hash: z.string().regex(/^0x[0-9a-f]{64}$/) });

export function cursorTable(db: Database): CursorTable {
  const select = db.prepare('SELECT height, hash FROM cursor');
  const upsert = db.prepare(
    'INSERT INTO cursor (id, height, hash) VALUES (1, ?, ?) ON CONFLICT (id) DO UPDATE SET height = excluded.height, hash = excluded.hash',
  );
  const get = (): BlockRef | null => readOptional(cursorRow, 'cursor', select.get());
  const write = (to: BlockRef): void => {
    upsert.run(to.height, to.hash);
  };
  return {
    get,
    rewind: write,
    advance(to) {
      const at = get();
      if (at !== null && (to.height < at.height || (to.height === at.height && to.hash !== at.hash))) {
        throw new StoreError('STORE_CONFLICT', `finality went from ${at.height} to ${to.height}`, { field: 'cursor' });
      }
      write(to);
    },
  };
}
