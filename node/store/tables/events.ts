import { z } from 'zod';
import type { JsonValue } from '../../../evaluator/identity/index.ts';
import type { Database } from '../db/database.ts';
import { integer, json, readRows, toJson } from '../db/rows.ts';
import { EVENTS_LOG_ROWS } from '../limits.ts';

/** Something a person may want to see; nothing is ever decided from it. */
export interface LogEvent {
  readonly sequence: number;
  readonly height: number;
  readonly kind: string;
  readonly event: JsonValue;
}

export interface EventsTable {
  /** Appends and drops what is older than the newest EVENTS_LOG_ROWS. */
  append(height: number, kind: string, event: JsonValue): void;
  /** Newest first. */
  recent(limit: number): LogEvent[];
  /** Oldest first, those numbered above `sequence`. */
  after(sequence: number, limit: number): LogEvent[];
}

const row = z.strictObject({ sequence: integer, height: integer, kind: z.string(), event: json });

export function eventsTable(db: Database): EventsTable {
  const insert = db.prepare('INSERT INTO events_log (height, kind, event) VALUES (?, ?, ?)');
  const prune = db.prepare('DELETE FROM events_log WHERE sequence <= (SELECT max(sequence) FROM events_log) - ?');
  const recent = db.prepare('SELECT sequence, height, kind, event FROM events_log ORDER BY sequence DESC LIMIT ?');
  const after = db.prepare(
    'SELECT sequence, height, kind, event FROM events_log WHERE sequence > ? ORDER BY sequence LIMIT ?',
  );
  return {
    append: (height, kind, event) => {
      insert.run(height, kind, toJson(event));
      prune.run(EVENTS_LOG_ROWS);
    },
    recent: (limit) => readRows(row, 'events_log', recent.all(Math.min(limit, EVENTS_LOG_ROWS))),
    after: (sequence, limit) => readRows(row, 'events_log', after.all(sequence, Math.min(limit, EVENTS_LOG_ROWS))),
  };
}
