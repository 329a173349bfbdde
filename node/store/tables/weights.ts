import { z } from 'zod';
import type { JsonValue } from '../../../evaluator/identity/index.ts';
import type { Database } from '../db/database.ts';
import { integer, json, readOptional, readRows, toJson } from '../db/rows.ts';
import { checkTransition, type TransitionTable } from '../db/transitions.ts';
import { StoreError } from '../errors.ts';
import { PAGE_MAX_ROWS } from '../limits.ts';

/**
 * `intent`: decided, nothing signed. `pending`: an extrinsic may be on its way. `confirmed`: read back from finalized
 * chain state. `held`: not published, on purpose.
 */
export type WeightsState = 'intent' | 'pending' | 'confirmed' | 'held';

export const WEIGHTS_TRANSITIONS: TransitionTable<WeightsState> = {
  // To itself: another try, a later retry height.
  intent: ['intent', 'pending', 'confirmed', 'held'],
  // Back to intent only when the extrinsic's era is over and the chain shows that it was not included.
  pending: ['intent', 'pending', 'confirmed', 'held'],
  held: ['intent'],
  confirmed: [],
};

export interface WeightsRow {
  /** The height w of `peer-protocol.md` section 11. */
  readonly epoch_height: number;
  readonly state: WeightsState;
  readonly vector: JsonValue;
  /** What was submitted (extrinsic hash, era, block), or why it is held. */
  readonly submission: JsonValue | null;
}

export interface WeightsTable {
  /**
   * Records the vector of a height before anything is signed; the same vector again changes nothing.
   * @throws StoreError STORE_CONFLICT for another vector: a node never publishes two for one height
   */
  intend(epochHeight: number, vector: JsonValue): WeightsRow;
  /** @throws StoreError TRANSITION_REFUSED */
  advance(epochHeight: number, state: WeightsState, submission: JsonValue | null): void;
  get(epochHeight: number): WeightsRow | null;
  last(): WeightsRow | null;
  lastConfirmed(): WeightsRow | null;
  inState(state: WeightsState): WeightsRow[];
  /** Newest first. */
  recent(limit: number): WeightsRow[];
  /** The newest vector that is to be published, or null before the first. */
  target(): JsonValue | null;
  putTarget(target: JsonValue): void;
}

const row = z.strictObject({
  epoch_height: integer,
  state: z.enum(['intent', 'pending', 'confirmed', 'held']),
  vector: json,
  submission: json.nullable(),
});
const targetRow = z.strictObject({ target: json });
const SELECT = 'SELECT epoch_height, state, vector, submission FROM weights_journal';

export function weightsTable(db: Database): WeightsTable {
  const insert = db.prepare(
    `INSERT INTO weights_journal (epoch_height, state, vector) VALUES (?, 'intent', ?) ON CONFLICT (epoch_height) DO NOTHING`,
  );
  const select = db.prepare(`${SELECT} WHERE epoch_height = ?`);
  const last = db.prepare(`${SELECT} ORDER BY epoch_height DESC LIMIT 1`);
  const confirmed = db.prepare(`${SELECT} WHERE state = 'confirmed' ORDER BY epoch_height DESC LIMIT 1`);
  const byState = db.prepare(`${SELECT} WHERE state = ? ORDER BY epoch_height LIMIT ${PAGE_MAX_ROWS}`);
  const update = db.prepare('UPDATE weights_journal SET state = ?, submission = ? WHERE epoch_height = ?');
  const recent = db.prepare(`${SELECT} ORDER BY epoch_height DESC LIMIT ?`);
  const selectTarget = db.prepare('SELECT target FROM weights_target');
  const putTarget = db.prepare('INSERT OR REPLACE INTO weights_target (id, target) VALUES (1, ?)');
  const get = (height: number): WeightsRow | null => readOptional(row, 'weights_journal', select.get(height));
  return {
    get,
    intend(height, vector) {
      insert.run(height, toJson(vector));
      const stored = get(height);
      if (stored === null || toJson(stored.vector) !== toJson(vector)) {
        throw new StoreError('STORE_CONFLICT', 'another vector is journaled', { field: `weights_journal[${height}]` });
      }
      return stored;
    },
    advance(height, state, submission) {
      const field = `weights_journal[${height}]`;
      const current = get(height);
      if (current === null) throw new StoreError('TRANSITION_REFUSED', `no intent to move to ${state}`, { field });
      checkTransition(WEIGHTS_TRANSITIONS, current.state, state, field);
      update.run(state, submission === null ? null : toJson(submission), height);
    },
    last: () => readOptional(row, 'weights_journal', last.get()),
    lastConfirmed: () => readOptional(row, 'weights_journal', confirmed.get()),
    inState: (state) => readRows(row, 'weights_journal', byState.all(state)),
    recent: (limit) => readRows(row, 'weights_journal', recent.all(Math.min(limit, PAGE_MAX_ROWS))),
    target: () => readOptional(targetRow, 'weights_target', selectTarget.get())?.target ?? null,
    putTarget: (target) => {
      putTarget.run(toJson(target));
    },
  };
}
