import type { FoldEvent } from '../../evaluator/peer/index.ts';
import type { CohortRecord } from '../../evaluator/peer/record.ts';
import type { FoldState } from '../../evaluator/peer/state.ts';
import type { NodeEvent } from './events.ts';

/** What one step of the fold tells people. Anchors of others are not told one by one: the status shows them. */
export function narrate(events: readonly FoldEvent[], state: FoldState, blockHash: string): NodeEvent[] {
  return events.map((event) => narrateOne(event, state, blockHash)).filter((event) => event !== null);
}

function narrateOne(event: FoldEvent, state: FoldState, blockHash: string): NodeEvent | null {
  switch (event.kind) {
    case 'reservation_queued': {
      const { reservation_id: reservation, hotkey } = event;
      const row = state.queue.find((queued) => queued.reservation_id === reservation);
      return { type: 'reservation', reservation, hotkey, contentHash: row?.content_hash ?? '' };
    }
    case 'reservation_refused':
      return event.reason === 'max_queued' ? { type: 'proposal_refused', hotkey: event.hotkey } : null;
    case 'reservation_expired':
      return { type: 'expired', reservation: event.reservation_id };
    case 'cohort_opened':
      return { type: 'cohort_opened', waiting: state.queue.length };
    case 'cohort_drawn':
      return {
        type: 'drawn',
        index: event.index,
        entropy: blockHash,
        members: event.members.map(({ reservation_id, hotkeys }) => ({
          reservation: reservation_id,
          validators: hotkeys,
        })),
      };
    case 'nobody_drawn':
      return {
        type: 'state',
        state: 'NOBODY_DRAWN',
        detail: event.reason === 'active_stake' ? 'too little stake is active' : 'no two independent validators',
      };
    case 'cohort_opening':
      return { type: 'opened', index: event.index };
    case 'cohort_closed':
      return narrateClose(event.record, event.record_digest);
    case 'ballot_of_another_history':
      return { type: 'state', state: 'BALLOT_OF_ANOTHER_HISTORY', detail: `${event.hotkey} names another record` };
    case 'policy_anchored':
      return { type: 'state', state: 'POLICY_ANCHORED', detail: `${event.digest} from ${event.activation_height}` };
    case 'consensus_changed':
      return { type: 'state', state: 'CONSENSUS_CHANGED', detail: event.digest };
    default:
      return null;
  }
}

function narrateClose(record: CohortRecord, digest: string): NodeEvent {
  return {
    type: 'closed',
    index: record.index,
    record: digest,
    noQuorum: record.no_quorum,
    journalHead: record.journal_head,
    stack: record.stack_digest,
    members: record.members.map((member) => ({
      reservation: member.reservation_id,
      disposition: member.disposition,
      reason: member.reason,
      speedup: member.disposition === 'crowned' ? lowerSpeedup(member.sides.map((side) => side.speedup)) : null,
    })),
  };
}

/** For display only; settlement compares exactly. */
function lowerSpeedup(speedups: readonly (string | null)[]): string | null {
  const known = speedups.filter((speedup) => speedup !== null);
  return known.sort((a, b) => Number(a) - Number(b))[0] ?? null;
}
