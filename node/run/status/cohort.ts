import type { Cohort, FoldState, Place } from '../../../evaluator/peer/index.ts';
import type { CohortStatus, MemberStatus, QueueRow, SideStatus } from '../../rpc/index.ts';
import type { Store } from '../../store/index.ts';

/** Rows of the queue in the status document. */
const QUEUE_ROWS = 50;

/** The open cohort as people see it, with what regrade made of each result here. */
export function cohortStatus(state: FoldState, hotkey: string, store: Store): CohortStatus | null {
  const { phase, consensus } = state;
  if (phase.kind !== 'measuring' && phase.kind !== 'ballots') return null;
  const { cohort } = phase;
  const opening = phase.kind === 'ballots' ? phase.opening_height : null;
  const deadline =
    opening === null ? cohort.assignment_block + consensus.measure_blocks : opening + consensus.ballot_blocks;
  return {
    index: cohort.index,
    phase: phase.kind,
    opened: cohort.opened,
    assignment_block: cohort.assignment_block,
    opening_height: opening,
    deadline,
    incumbent_stack_digest: cohort.incumbent_stack_digest,
    members: cohort.members.map((member, i) => memberStatus(state, cohort, i, member.reservation_id, hotkey, store)),
    ballots: cohort.ballots.map((ballot) => ballot.hotkey),
  };
}

function memberStatus(
  state: FoldState,
  cohort: Cohort,
  index: number,
  reservation: string,
  hotkey: string,
  store: Store,
): MemberStatus {
  const sides = cohort.members[index]?.sides ?? [];
  const miner = state.queue.find((row) => row.reservation_id === reservation)?.hotkey ?? '';
  const rows = sides.map((side, s) => sideStatus(cohort.index, 2 * index + s, side, hotkey, store));
  return {
    reservation_id: reservation,
    miner,
    target_id: rows.find((row) => row.target !== null)?.target ?? null,
    sides: rows.map(({ target: _target, ...row }) => row),
  };
}

function sideStatus(
  cohort: number,
  place: number,
  side: Place,
  hotkey: string,
  store: Store,
): SideStatus & { readonly target: string | null } {
  const receipt = side.receipt?.digest ?? null;
  const grading = receipt === null ? null : store.gradings.get(cohort, place, receipt);
  return {
    place,
    validator: side.hotkey,
    own: side.hotkey === hotkey,
    attempt: side.attempt?.digest ?? null,
    receipt,
    result: grading?.graded.result ?? null,
    speedup: grading?.graded.speedup ?? null,
    held: grading !== null,
    target: grading?.graded.target_id ?? null,
  };
}

/** The whole queue in order, or its first rows. */
export function queueRows(state: FoldState, limit: number = QUEUE_ROWS): QueueRow[] {
  return state.queue.slice(0, limit).map((row) => ({
    reservation_id: row.reservation_id,
    hotkey: row.hotkey,
    content_hash: row.content_hash,
    committed: row.committed,
    block: row.block,
    spent: row.spent,
    passes: row.passes,
  }));
}
