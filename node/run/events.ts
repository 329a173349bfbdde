/**
 * What a node tells about its work, in order, for its status RPC, page and the devnet's progress view. Facts only:
 * nothing here is read back as state.
 */
export type NodeEvent =
  | { readonly type: 'state'; readonly state: string; readonly detail: string }
  | {
      readonly type: 'reservation';
      readonly reservation: string;
      readonly hotkey: string;
      readonly contentHash: string;
    }
  | { readonly type: 'proposal_refused'; readonly hotkey: string }
  | { readonly type: 'expired'; readonly reservation: string }
  | { readonly type: 'cohort_opened'; readonly waiting: number }
  | {
      readonly type: 'drawn';
      readonly index: number;
      readonly entropy: string;
      readonly members: readonly { readonly reservation: string; readonly validators: readonly [string, string] }[];
    }
  | { readonly type: 'fetched'; readonly reservation: string; readonly files: number; readonly bytes: number }
  | { readonly type: 'unavailable'; readonly reservation: string; readonly why: string }
  | { readonly type: 'screened'; readonly reservation: string; readonly target: string; readonly delta: string }
  | { readonly type: 'bundle_refused'; readonly reservation: string; readonly why: string }
  | { readonly type: 'attempt_anchored'; readonly place: number; readonly reservation: string }
  | { readonly type: 'measuring'; readonly place: number; readonly reservation: string; readonly stage: string }
  | {
      readonly type: 'measured';
      readonly place: number;
      readonly reservation: string;
      readonly result: string;
      readonly reason: string | null;
      readonly speedup: string | null;
    }
  | {
      readonly type: 'receipt_anchored';
      readonly place: number;
      readonly reservation: string;
      readonly receipt: string;
    }
  | { readonly type: 'opened'; readonly index: number }
  | { readonly type: 'announced'; readonly place: number; readonly receipt: string }
  | {
      readonly type: 'regraded';
      readonly place: number;
      readonly reservation: string;
      readonly author: string;
      readonly result: string;
      readonly reason: string | null;
      readonly speedup: string | null;
    }
  | { readonly type: 'ballot_anchored'; readonly index: number; readonly places: readonly number[] }
  | { readonly type: 'waiting'; readonly missing: number }
  | {
      readonly type: 'closed';
      readonly index: number;
      readonly record: string;
      readonly noQuorum: boolean;
      readonly journalHead: string;
      readonly stack: string;
      readonly members: readonly {
        readonly reservation: string;
        readonly disposition: string;
        readonly reason: string | null;
        readonly speedup: string | null;
      }[];
    }
  | { readonly type: 'weights'; readonly height: number; readonly state: string; readonly detail: string };

/** An event with its number in this node's log and the finalized height at which it was told. */
export interface LoggedEvent {
  readonly sequence: number;
  readonly height: number;
  readonly event: NodeEvent;
}
