import { SPENT_BY_DISAGREEMENT, SPENT_BY_LAPSE } from './constants.ts';
import type { Fate } from './record.ts';
import { compareAddresses } from './ss58.ts';
import type { Member, Reservation } from './state.ts';
import type { FoldAuthority } from './types.ts';
import type { JudgedSide } from './verdicts.ts';

/** What section 7 makes of a member: a candidate for settlement, or its fate. The reservation is as it is afterwards. */
export type MemberOutcome =
  | { readonly kind: 'candidate'; readonly reservation: Reservation }
  | { readonly kind: 'ended' | 'queued'; readonly reservation: Reservation; readonly fate: Fate };

/** Judges one member from its two sides (section 7). */
export function memberOutcome(
  before: Reservation,
  member: Member,
  sides: readonly [JudgedSide, JudgedSide],
  maxSpent: number,
  authority: FoldAuthority,
): MemberOutcome {
  const reservation: Reservation = {
    ...before,
    drawn: withColdkeys(before.drawn, [member.sides[0].coldkey, member.sides[1].coldkey]),
    delta: before.delta ?? namedDelta(sides[0]) ?? namedDelta(sides[1]),
  };
  const [a, b] = sides;
  if (a.result === 'PASS' && b.result === 'PASS' && a.context !== null && b.context !== null) {
    const places = [a.context, b.context] as const;
    const receipts = [places[0].receipt_digest, places[1].receipt_digest] as const;
    if (authority.acceptsPair(receipts, places)) return { kind: 'candidate', reservation };
  }
  if (a.result === 'FAIL' && b.result === 'FAIL') {
    return { kind: 'ended', reservation, fate: { disposition: 'failed', reason: null } };
  }
  const lapsed = sides.some((side) => side.result === 'lapse' || side.result === 'INVALID');
  const spent = before.spent + (lapsed ? SPENT_BY_LAPSE : SPENT_BY_DISAGREEMENT);
  const after = { ...reservation, spent };
  return spent >= maxSpent
    ? { kind: 'ended', reservation: after, fate: { disposition: 'held', reason: 'unresolved' } }
    : { kind: 'queued', reservation: after, fate: { disposition: 'unresolved', reason: null } };
}

/** The selected delta of a counted PASS or FAIL, if it names one. */
function namedDelta(side: JudgedSide): string | null {
  return side.result === 'PASS' || side.result === 'FAIL' ? (side.graded?.selected_delta_digest ?? null) : null;
}

function withColdkeys(drawn: readonly string[], coldkeys: readonly string[]): string[] {
  return [...new Set([...drawn, ...coldkeys])].sort(compareAddresses);
}
