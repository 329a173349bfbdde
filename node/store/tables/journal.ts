import { z } from 'zod';
import { canonicalDigest, type JsonObject, type JsonValue } from '../../../evaluator/identity/index.ts';
import type { Database } from '../db/database.ts';
import { digest, integer, json, previousDigest, readOptional, readRow, readRows, toJson } from '../db/rows.ts';
import { StoreError } from '../errors.ts';
import { PAGE_MAX_ROWS } from '../limits.ts';

/** Domain of a settlement event's digest (`protocol.md` section 2). */
const EVENT_DOMAIN = 'cacheon.settlement.event';

export interface StoredEvent {
  readonly sequence: number;
  readonly digest: string;
  /** Digest of the event before, "" for the first. */
  readonly previous: string;
  readonly event: JsonValue;
}

export interface JournalTable {
  /**
   * Appends a settlement event (`protocol.md` section 7); its `sequence` and `previous_event_digest` must follow.
   * Only the first row may have any sequence (a node that started from a snapshot).
   * @throws StoreError STORE_CONFLICT
   */
  append(event: JsonObject): StoredEvent;
  last(): StoredEvent | null;
  /** Newest first, those below `before` (all if null), at most PAGE_MAX_ROWS. */
  page(before: number | null, limit: number): StoredEvent[];
  count(): number;
  /** Drops the events after a sequence; -1 drops all (`restart`). */
  dropAfter(sequence: number): void;
  /**
   * Recomputes every digest and link.
   * @throws StoreError STORE_CORRUPT with the sequence of the first event that does not fit
   */
  verify(): void;
}

const row = z.strictObject({ sequence: integer, digest, previous: previousDigest, event: json });
const COLUMNS = 'sequence, digest, previous, event';

export function journalTable(db: Database): JournalTable {
  const insert = db.prepare(`INSERT INTO journal_events (${COLUMNS}) VALUES (?, ?, ?, ?)`);
  const last = db.prepare(`SELECT ${COLUMNS} FROM journal_events ORDER BY sequence DESC LIMIT 1`);
  const page = db.prepare(`SELECT ${COLUMNS} FROM journal_events WHERE sequence < ? ORDER BY sequence DESC LIMIT ?`);
  const after = db.prepare(`SELECT ${COLUMNS} FROM journal_events WHERE sequence > ? ORDER BY sequence LIMIT ?`);
  const count = db.prepare('SELECT count(*) AS n FROM journal_events');
  const dropAfter = db.prepare('DELETE FROM journal_events WHERE sequence > ?');
  const table: JournalTable = {
    append(event) {
      const before = table.last();
      const { sequence, previous_event_digest: previous } = event;
      const follows = before === null || (sequence === before.sequence + 1 && previous === before.digest);
      if (typeof sequence !== 'number' || typeof previous !== 'string' || !follows) {
        throw new StoreError('STORE_CONFLICT', 'the event does not follow the last one', { field: 'journal_events' });
      }
      const stored = { sequence, digest: canonicalDigest(EVENT_DOMAIN, event), previous, event };
      insert.run(sequence, stored.digest, previous, toJson(event));
      return stored;
    },
    last: () => readOptional(row, 'journal_events', last.get()),
    page: (before, limit) =>
      readRows(row, 'journal_events', page.all(before ?? Number.MAX_SAFE_INTEGER, Math.min(limit, PAGE_MAX_ROWS))),
    count: () => readRow(z.strictObject({ n: integer }), 'journal_events', count.get() ?? {}).n,
    dropAfter: (sequence) => {
      dropAfter.run(sequence);
    },
    verify() {
      let before: StoredEvent | null = null;
      for (;;) {
        const events: StoredEvent[] = readRows(row, 'journal_events', after.all(before?.sequence ?? -1, PAGE_MAX_ROWS));
        if (events.length === 0) return;
        for (const event of events) {
          checkLink(before, event);
          before = event;
        }
      }
    },
  };
  return table;
}

function checkLink(before: StoredEvent | null, { sequence, digest: stored, previous, event }: StoredEvent): void {
  const { sequence: inner, previous_event_digest: innerPrevious } = event as JsonObject;
  const good =
    inner === sequence &&
    innerPrevious === previous &&
    canonicalDigest(EVENT_DOMAIN, event) === stored &&
    (before === null || (sequence === before.sequence + 1 && previous === before.digest));
  if (!good)
    throw new StoreError('STORE_CORRUPT', 'the hash chain is broken', { field: `journal_events[${sequence}]` });
}
