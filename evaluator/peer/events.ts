import type { CohortRecord } from './record.ts';

/** What a step changed, for the node's log and pages; nothing of the fold reads it. */
export type FoldEvent =
  | { readonly kind: 'reservation_queued'; readonly reservation_id: string; readonly hotkey: string }
  | {
      readonly kind: 'reservation_refused';
      readonly hotkey: string;
      readonly event_index: number;
      readonly event_subindex: number;
      readonly reason: 'payload_invalid' | 'max_queued';
    }
  | { readonly kind: 'reservation_expired'; readonly reservation_id: string; readonly reason: 'age' | 'unregistered' }
  | { readonly kind: 'cohort_opened'; readonly opened: number; readonly assignment_block: number }
  | { readonly kind: 'cohort_drawn'; readonly index: number; readonly members: readonly DrawnMember[] }
  | { readonly kind: 'nobody_drawn'; readonly assignment_block: number; readonly reason: NobodyDrawn }
  | {
      readonly kind: 'attempt_counted' | 'receipt_counted';
      readonly index: number;
      readonly place: number;
      readonly hotkey: string;
      readonly digest: string;
    }
  | {
      readonly kind: 'ballot_counted';
      readonly index: number;
      readonly hotkey: string;
      /** All counted bitmaps of the sender or-ed, 16 hex digits. */
      readonly bitmap: string;
    }
  | {
      readonly kind: 'ballot_of_another_history';
      readonly index: number;
      readonly hotkey: string;
      readonly previous: string;
    }
  | { readonly kind: 'cohort_opening'; readonly index: number; readonly opening_height: number }
  | { readonly kind: 'cohort_closed'; readonly record: CohortRecord; readonly record_digest: string }
  | { readonly kind: 'policy_anchored'; readonly digest: string; readonly activation_height: string }
  | {
      readonly kind: 'consensus_changed';
      readonly digest: string;
      readonly previous: string;
      readonly arena_changed: boolean;
    };

export interface DrawnMember {
  readonly reservation_id: string;
  /** The validators of side 0 and side 1. */
  readonly hotkeys: readonly [string, string];
}

/** Too little of the stake was active, or no reservation found two validators. */
export type NobodyDrawn = 'active_stake' | 'no_pair';
