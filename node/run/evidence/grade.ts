import { parseEvidenceRoot, ROOT_MAX_BYTES } from '../../../evaluator/evidence/index.ts';
import type { JsonValue } from '../../../evaluator/identity/index.ts';
import { parseStrictJson } from '../../../evaluator/identity/index.ts';
import type { Rules } from '../../../evaluator/launch/index.ts';
import type { ReceiptDuty } from '../../../evaluator/peer/index.ts';
import {
  confirmTrajectory,
  type GradeTrajectory,
  type RegradeOutcome,
  regrade,
} from '../../../evaluator/regrade/index.ts';
import type { Ledger } from '../../../evaluator/settle/index.ts';
import { parseStatement, STATEMENT_MAX_BYTES } from '../../../evaluator/statement/index.ts';
import type { Grading, Store } from '../../store/index.ts';
import { type PlanDependencies, planFiles } from '../places/plan.ts';
import type { HeldBlobs } from './blobs.ts';

/** Blobs of one result fetched at the same time. */
const FETCHES_AT_ONCE = 8;

export interface GradeDependencies extends PlanDependencies {
  readonly store: Store;
  readonly blobs: HeldBlobs;
  readonly rules: Rules;
  /** Runs the pristine reference again. */
  readonly gradeTrajectory: GradeTrajectory;
}

/**
 * Makes every byte of a counted result durable here and regrades it (`peer-protocol.md` sections 7 and 9). The grading
 * is stored only when nothing is missing.
 * @throws whatever kept a byte away or went wrong here: a wait, never a verdict
 */
export async function gradeReceipt(
  receipt: ReceiptDuty,
  ledger: Ledger,
  dependencies: GradeDependencies,
  signal: AbortSignal,
): Promise<Grading> {
  const { store, bundles, rules } = dependencies;
  const stored = store.gradings.get(receipt.cohort_index, receipt.place, receipt.receipt_digest);
  if (stored !== null) return stored;
  const { blobs: held } = dependencies;
  const prefer = [receipt.hotkey];
  const statement = await held.get(receipt.receipt_digest, 'statement', STATEMENT_MAX_BYTES, prefer, signal);
  const incumbent = { manifest: ledger.manifest, source: await bundles.openStack(ledger.manifest, signal) };
  const loaded = new Map<string, Uint8Array>();
  let files = bundles.opened(receipt.reservation.content_hash);
  for (;;) {
    const outcome = regrade({
      statement,
      blob: (digest) => loaded.get(digest) ?? null,
      bundle: files,
      context: {
        rules,
        cohortIndex: receipt.cohort_index,
        place: receipt.place,
        hotkey: receipt.hotkey,
        reservationId: receipt.reservation.reservation_id,
        incumbentStackDigest: receipt.incumbent_stack_digest,
        incumbentTreeDigest: ledger.tree_digest,
        blockHash: receipt.seed_hash,
      },
      reservation: receipt.reservation,
      attemptDigest: receipt.attempt_digest,
      plan: (list) => {
        const planned = planFiles(receipt.reservation, list, incumbent, dependencies);
        if (planned.kind === 'refused') throw planned.error;
        return planned.planned;
      },
    });
    if (outcome.status !== 'missing') return finish(receipt, statement, outcome, loaded, dependencies, signal);
    await fetchAll(outcome.blobs, boundsOf(statement, loaded), loaded, held, prefer, signal);
    if (outcome.bundle) {
      const { content_hash, url } = receipt.reservation;
      files = await bundles.acquire(content_hash, { url, first: 'peers', prefer }, signal);
    }
  }
}

/**
 * Bytes that each blob of a result may have: the root its limit, a file what the root says of it. More is not within
 * the bounds that a ballot vouches for, so an author cannot make anybody take more than one result's worth.
 */
function boundsOf(statement: Uint8Array, loaded: ReadonlyMap<string, Uint8Array>): ReadonlyMap<string, number> {
  const { evidenceRoot } = parseStatement(statement);
  const root = loaded.get(evidenceRoot);
  if (root === undefined) return new Map([[evidenceRoot, ROOT_MAX_BYTES]]);
  const bounds = new Map<string, number>();
  for (const { sha256, size } of parseEvidenceRoot(root)) bounds.set(sha256, Math.max(size, bounds.get(sha256) ?? 0));
  return bounds;
}

async function fetchAll(
  digests: readonly string[],
  bounds: ReadonlyMap<string, number>,
  loaded: Map<string, Uint8Array>,
  held: HeldBlobs,
  prefer: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (let i = 0; i < digests.length; i += FETCHES_AT_ONCE) {
    const batch = digests.slice(i, i + FETCHES_AT_ONCE);
    const bytes = await Promise.all(
      batch.map((digest) => held.get(digest, 'evidence-file', bounds.get(digest) ?? 0, prefer, signal)),
    );
    batch.forEach((digest, at) => {
      loaded.set(digest, bytes[at] as Uint8Array);
    });
  }
}

async function finish(
  receipt: ReceiptDuty,
  statement: Uint8Array,
  outcome: Exclude<RegradeOutcome, { status: 'missing' }>,
  loaded: ReadonlyMap<string, Uint8Array>,
  { store, rules, gradeTrajectory }: GradeDependencies,
  signal: AbortSignal,
): Promise<Grading> {
  // What T said of our own result came from the same reference on this very host.
  const confirmed = receipt.own
    ? outcome
    : await confirmTrajectory(outcome, rules.evaluation.logit_margin, gradeTrajectory, signal);
  if (confirmed.status === 'missing') throw new Error('a confirmed result cannot miss bytes');
  const grading: Grading = {
    cohort_index: receipt.cohort_index,
    place: receipt.place,
    receipt_digest: receipt.receipt_digest,
    graded: confirmed.graded,
    reason: confirmed.status === 'invalid' ? `${confirmed.code}: ${confirmed.detail}`.slice(0, 500) : confirmed.reason,
    qualification: confirmed.status === 'graded' ? proofOf(statement, confirmed, loaded) : null,
  };
  store.gradings.put(grading);
  return grading;
}

/** What settlement needs of a PASS: its qualification, and the attempt object that the qualification's digest names. */
function proofOf(
  statement: Uint8Array,
  outcome: Extract<RegradeOutcome, { status: 'graded' }>,
  loaded: ReadonlyMap<string, Uint8Array>,
): JsonValue | null {
  if (outcome.qualification === null) return null;
  const root = loaded.get(parseStatement(statement).evidenceRoot) as Uint8Array;
  const entry = parseEvidenceRoot(root).find((row) => row.name === 'attempt.json');
  const attempt = parseStrictJson(loaded.get(entry?.sha256 ?? '') as Uint8Array);
  return { attempt, qualification: outcome.qualification as unknown as JsonValue };
}
