import { requireDigest } from '../fields/index.ts';
import { canonicalDigest, compareCodePoints, compareDecimals, parseSpeedup } from '../identity/index.ts';
import { contributionDigest, type EvaluationStackManifest, entryOf, stackDigest } from '../manifest/index.ts';
import type { ArmIdentity } from '../plan/index.ts';
import { compareFinalized, type SettlementCandidate } from './candidate.ts';
import { DOMAIN } from './constants.ts';
import { SettlementError } from './errors.ts';
import { type EventContent, type JournalHead, JournalWriter, readPrevious, type SettlementEvent } from './event.ts';

/** The stack as it stands before a settlement, and where its journal stands. */
export interface SettlementBase {
  readonly manifest: EvaluationStackManifest;
  readonly treeDigest: string;
  readonly journal: JournalHead;
}

export interface StackUpdate {
  readonly after: ArmIdentity;
  readonly before: ArmIdentity;
  readonly candidate_digest: string;
  readonly manifest: EvaluationStackManifest;
}

/** What a settlement does; `winner_candidate_digest` is "" if nobody wins. */
export interface SettlementPlan {
  readonly after: ArmIdentity;
  readonly before: ArmIdentity;
  readonly events: readonly SettlementEvent[];
  readonly transition: StackUpdate | null;
  readonly winner_candidate_digest: string;
}

export function settlementPlanDigest(plan: SettlementPlan): string {
  return canonicalDigest(DOMAIN.plan, plan);
}

/**
 * Plans a settlement by `protocol.md` section 7: in finalized order, the highest conservative speedup wins, the
 * earliest of equal ones.
 * @throws FieldError for a malformed journal head or tree digest, SettlementError SETTLE_REPEATED
 */
export function planSettlement(candidates: readonly SettlementCandidate[], base: SettlementBase): SettlementPlan {
  const ordered = candidates.toSorted(compareFinalized);
  const current = currentOf(base);
  let winner: SettlementCandidate | null = null;
  for (const candidate of ordered) {
    if (candidate.primary.lane !== 'registered' || !isOn(candidate, current)) continue;
    const isHigher =
      winner === null || compareDecimals(parseSpeedup(candidate.speedup), parseSpeedup(winner.speedup)) > 0;
    if (isHigher) winner = candidate;
  }
  return emit(ordered, winner, base);
}

/**
 * Plans a settlement under settlement-order.v2 (`peer-protocol.md` section 8): the caller gives the ripe candidates
 * in order key order and says which one wins; the events are those of `protocol.md` section 7 in that order.
 * @param winner index into `ripe`
 * @throws FieldError, SettlementError SETTLE_REPEATED, SETTLE_WINNER
 */
export function planOrderedSettlement(
  ripe: readonly SettlementCandidate[],
  winner: number,
  base: SettlementBase,
): SettlementPlan {
  const chosen = ripe[winner];
  if (chosen === undefined || chosen.primary.lane !== 'registered' || !isOn(chosen, currentOf(base))) {
    throw new SettlementError('SETTLE_WINNER', undefined, { field: `ripe[${winner}]` });
  }
  return emit(ripe, chosen, base);
}

function emit(
  ordered: readonly SettlementCandidate[],
  winner: SettlementCandidate | null,
  base: SettlementBase,
): SettlementPlan {
  requireDistinct(ordered);
  readPrevious(base.journal.head, 'previous_event_digest');
  const before = currentOf(base);
  const writer = new JournalWriter(base.journal);
  const still = (candidate: SettlementCandidate, type: EventContent['type'], reason: EventContent['reason']) => {
    const { selected_delta_digest, proposal_digest, target_id } = candidate.primary;
    const subjectDigest = type === 'DISCOVERY_BOUNTY' ? proposal_digest : selected_delta_digest;
    const place = { targetId: target_id, from: before, to: before };
    writer.append({ type, reason, candidateDigest: candidate.digest, subjectDigest, ...place });
  };
  const fresh = ordered.filter((candidate) => isOn(candidate, before));
  for (const candidate of ordered) if (!fresh.includes(candidate)) still(candidate, 'HOLD', 'stale_incumbent');
  for (const candidate of fresh) {
    if (candidate.primary.lane === 'discovery') still(candidate, 'DISCOVERY_BOUNTY', 'qualified_discovery');
  }
  if (winner === null) {
    return { after: before, before, events: writer.events, transition: null, winner_candidate_digest: '' };
  }
  for (const candidate of fresh) {
    if (candidate === winner || candidate.primary.lane === 'discovery') continue;
    still(candidate, 'HOLD', intersects(candidate, winner) ? 'conflict_lost' : 'incumbent_advanced');
  }
  const transition = crown(winner, base.manifest, before, writer);
  return {
    after: transition.after,
    before,
    events: writer.events,
    transition,
    winner_candidate_digest: winner.digest,
  };
}

/** CROWN, RETIREMENT, NEUTRALIZATION, ADOPTION, STACK_TRANSITION of the winner. */
function crown(
  winner: SettlementCandidate,
  manifest: EvaluationStackManifest,
  before: ArmIdentity,
  writer: JournalWriter,
): StackUpdate {
  const { target_id, candidate_manifest, candidate_stack_digest, candidate_tree_digest } = winner.primary;
  const replacement = candidate_manifest === null ? undefined : entryOf(candidate_manifest, target_id);
  if (candidate_manifest === null || replacement === undefined) {
    throw new SettlementError('SETTLE_WINNER', undefined, { field: 'candidate_manifest' });
  }
  const after = { stack_digest: candidate_stack_digest, tree_digest: candidate_tree_digest };
  const append = (
    type: EventContent['type'],
    reason: EventContent['reason'],
    subjectDigest: string,
    more: Partial<EventContent> = {},
  ) => {
    const place = { targetId: target_id, from: before, to: before };
    writer.append({ type, reason, candidateDigest: winner.digest, subjectDigest, ...place, ...more });
  };
  append('CROWN', 'qualified_win', contributionDigest(replacement));
  const prior = entryOf(manifest, target_id);
  if (prior !== undefined) append('RETIREMENT', 'superseded', contributionDigest(prior));
  const removed = Object.values(manifest.entries)
    .filter((ref) => entryOf(candidate_manifest, ref.target_id) === undefined)
    .sort((a, b) => compareCodePoints(a.target_id, b.target_id));
  for (const ref of removed) {
    append('NEUTRALIZATION', 'displaced', contributionDigest(ref), { targetId: ref.target_id });
  }
  append('ADOPTION', 'adopted', contributionDigest(replacement), { to: after });
  append('STACK_TRANSITION', 'incumbent_updated', after.stack_digest, { to: after });
  return { after, before, candidate_digest: winner.digest, manifest: candidate_manifest };
}

function currentOf(base: SettlementBase): ArmIdentity {
  return {
    stack_digest: stackDigest(base.manifest),
    tree_digest: requireDigest(base.treeDigest, 'current_tree_digest'),
  };
}

function isOn(candidate: SettlementCandidate, current: ArmIdentity): boolean {
  const { incumbent_stack_digest, incumbent_tree_digest } = candidate.primary;
  return incumbent_stack_digest === current.stack_digest && incumbent_tree_digest === current.tree_digest;
}

function intersects(a: SettlementCandidate, b: SettlementCandidate): boolean {
  return a.primary.members.some((member) => b.primary.members.includes(member));
}

function requireDistinct(candidates: readonly SettlementCandidate[]): void {
  const digests = new Set(candidates.map((candidate) => candidate.digest));
  const reservations = new Set(candidates.map((candidate) => candidate.primary.reservation_digest));
  if (digests.size !== candidates.length || reservations.size !== candidates.length) {
    throw new SettlementError('SETTLE_REPEATED', undefined, { field: 'candidates' });
  }
}
