import { reservationOf } from './context.ts';
import { PeerError } from './errors.ts';
import { memberOutcome } from './members.ts';
import { compareOrderKeys } from './order-key.ts';
import { penaltiesAfter } from './penalties.ts';
import { type CohortRecord, type Fate, recordDigest, recordMembers } from './record.ts';
import { type Candidate, ripeFates, sortCandidates, winnerOf } from './settle-order.ts';
import type { Cohort, FoldState, Reservation } from './state.ts';
import { stateDigest } from './state-digest.ts';
import { tally } from './tally.ts';
import type { FoldAuthority, LedgerHead } from './types.ts';
import { type JudgedSide, judge, LAPSE } from './verdicts.ts';

export type Closed =
  | {
      readonly kind: 'closed';
      readonly state: FoldState;
      readonly record: CohortRecord;
      readonly record_digest: string;
    }
  | { readonly kind: 'waiting'; readonly receipts: readonly string[] };

type JudgedMember = readonly [JudgedSide, JudgedSide];

/** What sections 7 and 8 make of the queue and the ledger. */
interface Settled {
  readonly queue: readonly Reservation[];
  readonly ledger: LedgerHead;
  readonly fates: ReadonlyMap<string, Fate>;
}

/** Closes a cohort at o + ballot_blocks (sections 7 and 8), or waits for bytes of results that count. */
export function closeCohort(
  state: FoldState,
  cohort: Cohort,
  openingHeight: number,
  height: number,
  authority: FoldAuthority,
): Closed {
  checkLedger(state.ledger, authority.ledger());
  const counts = tally(cohort);
  const judged = counts.quorum ? judge(state, cohort, counts, authority) : null;
  if (judged?.kind === 'waiting') return judged;
  const members = judged?.members ?? null;
  const settled = members === null ? nothingSettled(state, cohort) : settle(state, cohort, members, authority);
  const after: FoldState = {
    ...state,
    queue: settled.queue,
    ledger: settled.ledger,
    penalties: penaltiesAfter(state.penalties, { cohort, counts, judged: members, height, consensus: state.consensus }),
    expired: [],
    no_quorum_streak: counts.quorum ? 0 : state.no_quorum_streak + 1,
    phase: { kind: 'idle' },
  };
  const lapses = cohort.members.map((): JudgedMember => [LAPSE, LAPSE]);
  const record: CohortRecord = {
    schema_version: 1,
    index: cohort.index,
    previous: state.record_digest,
    consensus_digest: state.consensus_digest,
    opened: cohort.opened,
    assignment_block: cohort.assignment_block,
    opening_height: openingHeight,
    close_height: height,
    incumbent_stack_digest: cohort.incumbent_stack_digest,
    no_quorum: !counts.quorum,
    members: recordMembers(cohort, members ?? lapses, settled.fates),
    expired: state.expired,
    journal_head: settled.ledger.journal_head,
    claims_digest: settled.ledger.claims_digest,
    stack_digest: settled.ledger.stack_digest,
    state_digest: stateDigest(after),
  };
  const record_digest = recordDigest(record);
  return { kind: 'closed', state: { ...after, record_digest }, record, record_digest };
}

function nothingSettled({ queue, ledger }: FoldState, cohort: Cohort): Settled {
  const fate: Fate = { disposition: 'no_quorum', reason: null };
  return { queue, ledger, fates: new Map(cohort.members.map((member) => [member.reservation_id, fate])) };
}

function settle(state: FoldState, cohort: Cohort, judged: readonly JudgedMember[], authority: FoldAuthority): Settled {
  const { max_spent, confirmations, precedence_ppm } = state.consensus;
  const queued = new Map(state.queue.map((reservation) => [reservation.reservation_id, reservation]));
  const fates = new Map<string, Fate>();
  const candidates: Candidate[] = [];
  for (const [i, member] of cohort.members.entries()) {
    const sides = judged[i] as JudgedMember;
    const before = reservationOf(state, member.reservation_id);
    const outcome = memberOutcome(before, member, sides, max_spent, authority);
    if (outcome.kind === 'ended') queued.delete(member.reservation_id);
    else queued.set(member.reservation_id, outcome.reservation);
    if (outcome.kind === 'candidate') candidates.push(candidateOf(outcome.reservation, sides));
    else fates.set(member.reservation_id, outcome.fate);
  }
  candidates.sort((a, b) => compareOrderKeys(a.reservation, b.reservation));
  const sorted = sortCandidates(candidates, [...queued.values()], confirmations);
  const winner = winnerOf(sorted.ripe, precedence_ppm);
  const crowned = sorted.ripe.length > 0;
  const ledger = crowned ? authority.settle(sorted.ripe, winner) : state.ledger;
  for (const [id, fate] of [...sorted.fates, ...ripeFates(sorted.ripe, winner)]) {
    fates.set(id, fate);
    if (fate.disposition === 'held' || fate.disposition === 'crowned') queued.delete(id);
  }
  const queue = [...queued.values()].map((reservation): Reservation => {
    if (crowned) return { ...reservation, passes: 0 };
    const confirmed = fates.get(reservation.reservation_id)?.disposition === 'confirmed';
    return confirmed ? { ...reservation, passes: reservation.passes + 1 } : reservation;
  });
  return { queue, ledger, fates };
}

function candidateOf(reservation: Reservation, [a, b]: JudgedMember): Candidate {
  if (a.graded === null || a.context === null || b.context === null || a.speedup === null || b.speedup === null) {
    throw new PeerError('GRADE_MALFORMED', undefined, { field: reservation.reservation_id });
  }
  return {
    reservation,
    receipts: [a.context.receipt_digest, b.context.receipt_digest],
    speedups: [a.speedup, b.speedup],
    primary: a.graded,
  };
}

function checkLedger(expected: LedgerHead, actual: LedgerHead): void {
  for (const field of ['stack_digest', 'journal_head', 'claims_digest'] as const) {
    if (expected[field] !== actual[field]) throw new PeerError('LEDGER_MISMATCH', undefined, { field });
  }
}
