import { z } from 'zod';
import type { JsonValue } from '../../../evaluator/identity/index.ts';
import type { Database } from '../db/database.ts';
import { integer, json, readOptional, toJson } from '../db/rows.ts';
import { SNAPSHOTS_KEPT } from '../limits.ts';
import type { BlockRef } from './cursor.ts';

/** The fold's state after a height, as canonical JSON; the fold itself gives it its shape. */
export interface FoldState extends BlockRef {
  readonly state: JsonValue;
}

/** State and ledger right after a cohort record. */
export interface Snapshot {
  readonly cohort_index: number;
  readonly state: JsonValue;
  readonly ledger: JsonValue;
}

export interface StateTable {
  fold(): FoldState | null;
  putFold(state: FoldState): void;
  ledger(): JsonValue | null;
  putLedger(ledger: JsonValue): void;
  /** Keeps a snapshot and drops those that are more than SNAPSHOTS_KEPT records older. */
  putSnapshot(snapshot: Snapshot): void;
  snapshot(cohortIndex: number): Snapshot | null;
  newestSnapshot(): Snapshot | null;
  /** Drops the snapshots after a record (`restart`). */
  dropSnapshotsAfter(cohortIndex: number): void;
}

const foldRow = z.strictObject({ height: integer, hash: z.string(), state: json });
const ledgerRow = z.strictObject({ state: json });
const snapshotRow = z.strictObject({ cohort_index: integer, state: json, ledger: json });

export function stateTable(db: Database): StateTable {
  const selectFold = db.prepare('SELECT height, hash, state FROM fold_state');
  const putFold = db.prepare('INSERT OR REPLACE INTO fold_state (id, height, hash, state) VALUES (1, ?, ?, ?)');
  const selectLedger = db.prepare('SELECT state FROM ledger');
  const putLedger = db.prepare('INSERT OR REPLACE INTO ledger (id, state) VALUES (1, ?)');
  const putSnapshot = db.prepare('INSERT OR REPLACE INTO snapshots (cohort_index, state, ledger) VALUES (?, ?, ?)');
  const prune = db.prepare('DELETE FROM snapshots WHERE cohort_index <= ?');
  const select = db.prepare('SELECT cohort_index, state, ledger FROM snapshots WHERE cohort_index = ?');
  const newest = db.prepare('SELECT cohort_index, state, ledger FROM snapshots ORDER BY cohort_index DESC LIMIT 1');
  const dropAfter = db.prepare('DELETE FROM snapshots WHERE cohort_index > ?');
  return {
    fold: () => readOptional(foldRow, 'fold_state', selectFold.get()),
    putFold: ({ height, hash, state }) => {
      putFold.run(height, hash, toJson(state));
    },
    ledger: () => readOptional(ledgerRow, 'ledger', selectLedger.get())?.state ?? null,
    putLedger: (ledger) => {
      putLedger.run(toJson(ledger));
    },
    putSnapshot: ({ cohort_index, state, ledger }) => {
      putSnapshot.run(cohort_index, toJson(state), toJson(ledger));
      prune.run(cohort_index - SNAPSHOTS_KEPT);
    },
    snapshot: (index) => readOptional(snapshotRow, 'snapshots', select.get(index)),
    newestSnapshot: () => readOptional(snapshotRow, 'snapshots', newest.get()),
    dropSnapshotsAfter: (index) => {
      dropAfter.run(index);
    },
  };
}
