import { existsSync } from 'node:fs';
import { Database } from './db/database.ts';
import { migrate } from './db/migrate.ts';
import { StoreError } from './errors.ts';
import { type AttemptsTable, attemptsTable } from './tables/attempts.ts';
import { type BlobIndex, blobIndex } from './tables/blob-index.ts';
import { type BundleIndex, bundleIndex } from './tables/bundle-index.ts';
import { type CursorTable, cursorTable } from './tables/cursor.ts';
import { type EventsTable, eventsTable } from './tables/events.ts';
import { type GradingsTable, gradingsTable } from './tables/gradings.ts';
import { type JournalTable, journalTable } from './tables/journal.ts';
import { type MetaTable, metaTable } from './tables/meta.ts';
import { type RecordsTable, recordsTable } from './tables/records.ts';
import { type StateTable, stateTable } from './tables/state.ts';
import { type WeightsTable, weightsTable } from './tables/weights.ts';

/** The node's database. Everything is synchronous: what a call returned from is durable. */
export interface Store {
  readonly meta: MetaTable;
  readonly cursor: CursorTable;
  readonly state: StateTable;
  readonly records: RecordsTable;
  readonly journal: JournalTable;
  readonly attempts: AttemptsTable;
  readonly blobs: BlobIndex;
  readonly bundles: BundleIndex;
  readonly gradings: GradingsTable;
  readonly weights: WeightsTable;
  readonly events: EventsTable;
  /** All of `action` or nothing; no nesting, no awaiting. */
  transaction<T>(action: () => T): T;
  close(): void;
}

/**
 * Opens the database at `path` in WAL mode with full synchronisation, checks it whole, migrates it, and verifies the
 * journal's hash chain.
 * @param options.create makes a missing database (`init`, tests); otherwise a missing one is refused, because an empty
 * one would let the node forget what it has anchored
 * @throws StoreError, operator faults for STORE_MISSING, STORE_CORRUPT, STORE_NEWER, STORE_FOREIGN, DISK_FULL
 */
export function openStore(path: string, options: { create?: boolean } = {}): Store {
  if (options.create !== true && !existsSync(path)) throw new StoreError('STORE_MISSING', undefined, { field: path });
  const db = new Database(path);
  try {
    makeDurable(db);
    quickCheck(db);
    migrate(db);
    const store = composeStore(db);
    store.journal.verify();
    return store;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** WAL, and an fsync at every commit: what a call returned from survives power loss. */
export function makeDurable(db: Database): void {
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  db.exec('PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF');
}

/** @throws StoreError STORE_CORRUPT with SQLite's first finding */
export function quickCheck(db: Database): void {
  const finding = db.pragma('quick_check(1)');
  if (finding !== 'ok') throw new StoreError('STORE_CORRUPT', String(finding), { field: db.path });
}

function composeStore(db: Database): Store {
  return {
    meta: metaTable(db),
    cursor: cursorTable(db),
    state: stateTable(db),
    records: recordsTable(db),
    journal: journalTable(db),
    attempts: attemptsTable(db),
    blobs: blobIndex(db),
    bundles: bundleIndex(db),
    gradings: gradingsTable(db),
    weights: weightsTable(db),
    events: eventsTable(db),
    transaction: (action) => db.transaction(action),
    close: () => db.close(),
  };
}
