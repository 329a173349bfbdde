import { z } from 'zod';
import type { Database } from '../db/database.ts';
import { digest, integer, readOptional, readRows } from '../db/rows.ts';
import { checkTransition, type TransitionTable } from '../db/transitions.ts';
import { PAGE_MAX_ROWS } from '../limits.ts';

/** `wanted`: to be fetched. `held`: its pack is durable. `unavailable`: the tries are used up for this cohort. */
export type BundleState = 'wanted' | 'held' | 'unavailable';

export const BUNDLE_TRANSITIONS: TransitionTable<BundleState> = {
  wanted: ['held', 'unavailable'],
  // A peer may have what the miner's host no longer serves.
  unavailable: ['wanted', 'held'],
  // A pack that was removed by retention or a damaged disk is fetched again.
  held: ['wanted'],
};

export interface BundleRow {
  readonly content_hash: string;
  readonly state: BundleState;
  /** Bytes of the pack; null unless held. */
  readonly size: number | null;
  /** Fetches from the miner's host so far. */
  readonly tries: number;
  readonly created_height: number;
}

export interface BundleIndex {
  /** The pack is to be fetched: adds a row, or sets one that is `unavailable` or lost its pack back to `wanted`. */
  want(contentHash: string, createdHeight: number): void;
  get(contentHash: string): BundleRow | null;
  inState(state: BundleState): BundleRow[];
  /** Counts one fetch. */
  tried(contentHash: string): void;
  held(contentHash: string, size: number): void;
  advance(contentHash: string, state: 'wanted' | 'unavailable'): void;
  remove(contentHash: string): void;
}

const row = z.strictObject({
  content_hash: digest,
  state: z.enum(['wanted', 'held', 'unavailable']),
  size: integer.nullable(),
  tries: integer,
  created_height: integer,
});
const COLUMNS = 'content_hash, state, size, tries, created_height';

export function bundleIndex(db: Database): BundleIndex {
  const insert = db.prepare(
    `INSERT INTO bundles (${COLUMNS}) VALUES (?, 'wanted', NULL, 0, ?)
     ON CONFLICT (content_hash) DO UPDATE SET state = 'wanted', size = NULL`,
  );
  const select = db.prepare(`SELECT ${COLUMNS} FROM bundles WHERE content_hash = ?`);
  const byState = db.prepare(
    `SELECT ${COLUMNS} FROM bundles WHERE state = ? ORDER BY created_height, content_hash LIMIT ${PAGE_MAX_ROWS}`,
  );
  const tried = db.prepare('UPDATE bundles SET tries = tries + 1 WHERE content_hash = ?');
  const update = db.prepare('UPDATE bundles SET state = ?, size = ? WHERE content_hash = ?');
  const remove = db.prepare('DELETE FROM bundles WHERE content_hash = ?');
  const get = (hash: string): BundleRow | null => readOptional(row, 'bundles', select.get(hash));
  const step = (hash: string, to: BundleState, size: number | null): void => {
    const current = get(hash);
    // A bundle nobody asked for is refused like a wrong step: it would never be removed.
    checkTransition(BUNDLE_TRANSITIONS, current?.state ?? 'held', to, `bundles[${hash}]`);
    update.run(to, size, hash);
  };
  return {
    get,
    want: (hash, height) => {
      insert.run(hash, height);
    },
    inState: (state) => readRows(row, 'bundles', byState.all(state)),
    tried: (hash) => {
      tried.run(hash);
    },
    held: (hash, size) => step(hash, 'held', size),
    advance: (hash, state) => step(hash, state, null),
    remove: (hash) => {
      remove.run(hash);
    },
  };
}
