import { z } from 'zod';
import type { JsonValue } from '../../../evaluator/identity/index.ts';
import type { Database } from '../db/database.ts';
import { digest, integer, json, optionalDigest, readOptional, readRows, toJson } from '../db/rows.ts';
import { checkTransition, type TransitionTable } from '../db/transitions.ts';
import { StoreError } from '../errors.ts';

/**
 * Stages of this node's own measurement of one place. `anchored`: the attempt anchor is finalized. `measured`: the
 * evidence is durable. `received`: the receipt anchor is finalized. `abandoned`: it cannot count any more.
 */
export type AttemptStage = 'planned' | 'anchored' | 'measured' | 'received' | 'closed' | 'abandoned';

export const ATTEMPT_TRANSITIONS: TransitionTable<AttemptStage> = {
  planned: ['anchored', 'abandoned'],
  anchored: ['measured', 'abandoned'],
  measured: ['received', 'abandoned'],
  received: ['closed'],
  closed: [],
  abandoned: [],
};

/** One place of one cohort that this node measures. The secret leaves the node only inside the evidence. */
export interface Attempt {
  readonly cohort_index: number;
  readonly place: number;
  readonly stage: AttemptStage;
  readonly attempt_digest: string;
  readonly attempt: JsonValue;
  /** 32 bytes as hex. */
  readonly secret: string;
  readonly plan: JsonValue | null;
  readonly anchor_height: number | null;
  readonly receipt_digest: string | null;
  /** SHA-256 of the evidence root. */
  readonly evidence_root: string | null;
}

export type NewAttempt = Pick<Attempt, 'cohort_index' | 'place' | 'attempt_digest' | 'attempt' | 'secret' | 'plan'>;

export interface AttemptsTable {
  /** @throws StoreError STORE_CONFLICT if the place already has an attempt: a node never makes two. */
  plan(attempt: NewAttempt): void;
  get(cohortIndex: number, place: number): Attempt | null;
  /** In order of cohort and place. */
  inStage(stage: AttemptStage): Attempt[];
  ofCohort(cohortIndex: number): Attempt[];
  anchored(cohortIndex: number, place: number, anchorHeight: number): void;
  measured(cohortIndex: number, place: number, receiptDigest: string, evidenceRoot: string): void;
  /** To `received`, `closed` or `abandoned`. @throws StoreError TRANSITION_REFUSED */
  advance(cohortIndex: number, place: number, stage: 'received' | 'closed' | 'abandoned'): void;
}

const row = z.strictObject({
  cohort_index: integer,
  place: integer,
  stage: z.enum(['planned', 'anchored', 'measured', 'received', 'closed', 'abandoned']),
  attempt_digest: digest,
  attempt: json,
  secret: digest,
  plan: json.nullable(),
  anchor_height: integer.nullable(),
  receipt_digest: optionalDigest,
  evidence_root: optionalDigest,
});
const COLUMNS = Object.keys(row.shape).join(', ');

export function attemptsTable(db: Database): AttemptsTable {
  const insert = db.prepare(
    `INSERT INTO attempts (cohort_index, place, stage, attempt_digest, attempt, secret, plan) VALUES (?, ?, 'planned', ?, ?, ?, ?)`,
  );
  const select = db.prepare(`SELECT ${COLUMNS} FROM attempts WHERE cohort_index = ? AND place = ?`);
  const byStage = db.prepare(`SELECT ${COLUMNS} FROM attempts WHERE stage = ? ORDER BY cohort_index, place`);
  const byCohort = db.prepare(`SELECT ${COLUMNS} FROM attempts WHERE cohort_index = ? ORDER BY place`);
  const update = db.prepare(
    `UPDATE attempts SET stage = ?, anchor_height = coalesce(?, anchor_height), receipt_digest = coalesce(?, receipt_digest),
     evidence_root = coalesce(?, evidence_root) WHERE cohort_index = ? AND place = ? AND stage = ?`,
  );
  const get = (cohort: number, place: number): Attempt | null =>
    readOptional(row, 'attempts', select.get(cohort, place));

  function step(
    cohort: number,
    place: number,
    to: AttemptStage,
    anchor: number | null = null,
    receipt: string | null = null,
    root: string | null = null,
  ): void {
    const field = `attempts[${cohort},${place}]`;
    const current = get(cohort, place);
    if (current === null) throw new StoreError('TRANSITION_REFUSED', `no attempt to move to ${to}`, { field });
    checkTransition(ATTEMPT_TRANSITIONS, current.stage, to, field);
    update.run(to, anchor, receipt, root, cohort, place, current.stage);
  }

  return {
    get,
    plan: ({ cohort_index, place, attempt_digest, attempt, secret, plan }) => {
      insert.run(cohort_index, place, attempt_digest, toJson(attempt), secret, plan === null ? null : toJson(plan));
    },
    inStage: (stage) => readRows(row, 'attempts', byStage.all(stage)),
    ofCohort: (cohort) => readRows(row, 'attempts', byCohort.all(cohort)),
    anchored: (cohort, place, height) => step(cohort, place, 'anchored', height),
    measured: (cohort, place, receipt, root) => step(cohort, place, 'measured', null, receipt, root),
    advance: (cohort, place, stage) => step(cohort, place, stage),
  };
}
