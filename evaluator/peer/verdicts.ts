import { parseSpeedup } from '../identity/index.ts';
import { placesOf } from './cohort.ts';
import { placeContext } from './context.ts';
import { PeerError } from './errors.ts';
import type { SideVerdict } from './record.ts';
import type { Cohort, FoldState } from './state.ts';
import type { Tally } from './tally.ts';
import type { FoldAuthority, Graded, PlaceContext } from './types.ts';

/** One side after regrade; `graded` and `context` are null where no result counts. */
export interface JudgedSide extends SideVerdict {
  readonly graded: Graded | null;
  readonly context: PlaceContext | null;
}

export const LAPSE: JudgedSide = { counted: false, result: 'lapse', speedup: null, graded: null, context: null };

export type Judged =
  | { readonly kind: 'judged'; readonly members: readonly (readonly [JudgedSide, JudgedSide])[] }
  | { readonly kind: 'waiting'; readonly receipts: readonly string[] };

/** Regrades every result that counts (section 7). Waits, naming all of them, while bytes of any are missing here. */
export function judge(state: FoldState, cohort: Cohort, counts: Tally, authority: FoldAuthority): Judged {
  const missing = new Set<string>();
  const sides = placesOf(cohort).map((_, place): JudgedSide => {
    const context = counts.places[place]?.counted ? placeContext(state, cohort, place) : null;
    if (context === null) return LAPSE;
    const graded = authority.graded(context.receipt_digest, context);
    if (graded === null) {
      missing.add(context.receipt_digest);
      return LAPSE;
    }
    checkGrade(graded, context.receipt_digest);
    const speedup = graded.result === 'PASS' ? graded.speedup : null;
    return { counted: true, result: graded.result, speedup, graded, context };
  });
  if (missing.size > 0) return { kind: 'waiting', receipts: [...missing] };
  const members = cohort.members.map((_, i) => [sides[2 * i] as JudgedSide, sides[2 * i + 1] as JudgedSide] as const);
  return { kind: 'judged', members };
}

/** A PASS without what settlement needs is this node's own bug, so it stops the fold and is no verdict. */
function checkGrade(graded: Graded, receipt: string): void {
  if (graded.result !== 'PASS') return;
  const { speedup, selected_delta_digest, candidate_stack_digest } = graded;
  const settleable = speedup !== null && selected_delta_digest !== null && candidate_stack_digest !== null;
  if (settleable && isSpeedup(speedup)) return;
  throw new PeerError('GRADE_MALFORMED', undefined, { field: receipt });
}

function isSpeedup(text: string): boolean {
  try {
    parseSpeedup(text);
    return true;
  } catch {
    return false;
  }
}
