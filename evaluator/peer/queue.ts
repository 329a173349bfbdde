import { COMMITTED_WINDOW_BLOCKS } from './constants.ts';
import type { FoldEvent } from './events.ts';
import { compareOrderKeys } from './order-key.ts';
import { decodePayload, reservationId } from './payload.ts';
import type { FoldState, Reservation } from './state.ts';
import type { BlockProposal, FoldBlock } from './types.ts';

/** Height that a reservation counts as committed at: as read, limited to the window before its reveal (section 4). */
export function committedHeight(committed: number | null, block: number): number {
  return Math.max(block - COMMITTED_WINDOW_BLOCKS, Math.min(block, committed ?? block));
}

/** Step 3 of a height: the block's valid proposals, in order key order, join the queue or are refused (section 4). */
export function joinQueue(state: FoldState, block: FoldBlock, events: FoldEvent[]): FoldState {
  if (block.proposals.length === 0) return state;
  const arrivals: Reservation[] = [];
  for (const proposal of block.proposals) {
    const reservation = reserve(proposal, block);
    if (reservation === null) events.push(refusal(proposal, 'payload_invalid'));
    else arrivals.push(reservation);
  }
  arrivals.sort(compareOrderKeys);
  const queue = [...state.queue];
  for (const arrival of arrivals) {
    const queued = queue.filter((reservation) => reservation.hotkey === arrival.hotkey).length;
    if (queued >= state.consensus.max_queued) {
      events.push(refusal(arrival, 'max_queued'));
      continue;
    }
    queue.push(arrival);
    const { reservation_id, hotkey } = arrival;
    events.push({ kind: 'reservation_queued', reservation_id, hotkey });
  }
  return { ...state, queue: queue.sort(compareOrderKeys) };
}

function reserve(proposal: BlockProposal, block: FoldBlock): Reservation | null {
  const payload = decodePayload(proposal.payload);
  if (payload === null) return null;
  const { hotkey, event_index, event_subindex } = proposal;
  const { content_hash, url } = payload;
  const arrival = { block: block.height, content_hash, event_index, event_subindex, hotkey, url };
  return {
    ...arrival,
    reservation_id: reservationId({ ...arrival, block_hash: block.hash }),
    committed: committedHeight(proposal.committed, block.height),
    spent: 0,
    passes: 0,
    delta: null,
    drawn: [],
  };
}

function refusal(
  proposal: { readonly hotkey: string; readonly event_index: number; readonly event_subindex: number },
  reason: 'payload_invalid' | 'max_queued',
): FoldEvent {
  const { hotkey, event_index, event_subindex } = proposal;
  return { kind: 'reservation_refused', hotkey, event_index, event_subindex, reason };
}

/** Ends, in order, every queued reservation that `ends` says; they are `expired` in the next record. */
export function expire(
  state: FoldState,
  reason: 'age' | 'unregistered',
  ends: (reservation: Reservation) => boolean,
  events: FoldEvent[],
): FoldState {
  const kept: Reservation[] = [];
  const gone: string[] = [];
  for (const reservation of state.queue) {
    if (ends(reservation)) gone.push(reservation.reservation_id);
    else kept.push(reservation);
  }
  if (gone.length === 0) return state;
  for (const reservation_id of gone) events.push({ kind: 'reservation_expired', reservation_id, reason });
  return { ...state, queue: kept, expired: [...state.expired, ...gone] };
}
