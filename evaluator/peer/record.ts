import { canonicalDigest } from '../identity/index.ts';
import type { Cohort } from './state.ts';

export type SideResult = 'lapse' | 'PASS' | 'FAIL' | 'NO_DECISION' | 'INVALID';

export type Disposition =
  | 'crowned'
  | 'failed'
  | 'held'
  | 'unresolved'
  | 'confirmed'
  | 'earlier_pending'
  | 'conflict_lost'
  | 'incumbent_advanced'
  | 'no_quorum';

export interface RecordSide {
  readonly hotkey: string;
  readonly attempt: string | null;
  readonly receipt: string | null;
  readonly counted: boolean;
  readonly result: SideResult;
  /** Canonical decimal; null unless PASS. */
  readonly speedup: string | null;
}

export interface RecordMember {
  readonly reservation_id: string;
  readonly sides: readonly [RecordSide, RecordSide];
  readonly disposition: Disposition;
  /** Why it was held, else null. */
  readonly reason: 'unresolved' | 'duplicate_delta' | null;
}

/** The closed object that each cohort ends with (section 8). */
export interface CohortRecord {
  readonly schema_version: 1;
  readonly index: number;
  readonly previous: string;
  readonly consensus_digest: string;
  readonly opened: number;
  readonly assignment_block: number;
  readonly opening_height: number;
  readonly close_height: number;
  readonly incumbent_stack_digest: string;
  readonly no_quorum: boolean;
  readonly members: readonly RecordMember[];
  readonly expired: readonly string[];
  readonly journal_head: string;
  readonly claims_digest: string;
  readonly stack_digest: string;
  readonly state_digest: string;
}

/** CD("cacheon.peer.cohort.v1", record). */
export function recordDigest(record: CohortRecord): string {
  return canonicalDigest('cacheon.peer.cohort.v1', record);
}

/** What became of one member. */
export interface Fate {
  readonly disposition: Disposition;
  readonly reason: 'unresolved' | 'duplicate_delta' | null;
}

/** What one side counts as. */
export interface SideVerdict {
  readonly counted: boolean;
  readonly result: SideResult;
  readonly speedup: string | null;
}

/** The rows of a record's members, from what was anchored, how each side was judged and what became of them. */
export function recordMembers(
  cohort: Cohort,
  verdicts: readonly (readonly [SideVerdict, SideVerdict])[],
  fates: ReadonlyMap<string, Fate>,
): RecordMember[] {
  return cohort.members.map(({ reservation_id, sides }, i) => {
    const side = (s: 0 | 1): RecordSide => {
      const { hotkey, attempt, receipt } = sides[s];
      const { counted, result, speedup } = (verdicts[i] as (typeof verdicts)[number])[s];
      return { hotkey, attempt: attempt?.digest ?? null, receipt: receipt?.digest ?? null, counted, result, speedup };
    };
    const { disposition, reason } = fates.get(reservation_id) as Fate;
    return { reservation_id, sides: [side(0), side(1)], disposition, reason };
  });
}
