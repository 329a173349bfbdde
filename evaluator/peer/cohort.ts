import { ZERO_DIGEST } from '../identity/index.ts';
import type { BallotAnchor, ResultAnchor } from './anchors.ts';
import type { Consensus } from './consensus.ts';
import type { FoldEvent } from './events.ts';
import type { SeenAnchor } from './seen.ts';
import { compareAddresses } from './ss58.ts';
import type { Cohort, FoldState, Member, Place } from './state.ts';
import type { FoldBlock } from './types.ts';

/** Place 2i + s is member i, side s. */
export function placeAt(cohort: Cohort, place: number): Place | null {
  return cohort.members[place >> 1]?.sides[(place & 1) as 0 | 1] ?? null;
}

/** Every place of a cohort in order. */
export function placesOf(cohort: Cohort): Place[] {
  return cohort.members.flatMap((member) => [...member.sides]);
}

/** Step 2 of a height: the attempts, receipts and ballots that count (section 5). */
export function countAnchors(
  state: FoldState,
  block: FoldBlock,
  anchors: readonly SeenAnchor[],
  events: FoldEvent[],
): FoldState {
  const { phase } = state;
  if (phase.kind !== 'measuring' && phase.kind !== 'ballots') return state;
  let cohort = keepSeedHashes(phase.cohort, state.consensus, block);
  for (const { hotkey, anchor } of anchors) {
    if (!('cohort_index' in anchor) || anchor.cohort_index !== cohort.index) continue;
    if (anchor.kind === 'ballot') {
      if (phase.kind === 'ballots') cohort = countBallot(cohort, hotkey, anchor, state.record_digest, events);
    } else if (phase.kind === 'measuring') {
      cohort = countResult(cohort, hotkey, anchor, state.consensus, block.height, events);
    }
  }
  return cohort === phase.cohort ? state : { ...state, phase: { ...phase, cohort } };
}

/** The hash of an attempt's height + lag_blocks makes its selection seed (section 9), so the place keeps it. */
function keepSeedHashes(cohort: Cohort, consensus: Consensus, block: FoldBlock): Cohort {
  const isSeed = (place: Place): boolean => place.attempt?.height === block.height - consensus.lag_blocks;
  if (!placesOf(cohort).some(isSeed)) return cohort;
  const keep = (place: Place): Place => (isSeed(place) ? { ...place, seed_hash: block.hash } : place);
  const members = cohort.members.map(({ reservation_id, sides }): Member => {
    return { reservation_id, sides: [keep(sides[0]), keep(sides[1])] };
  });
  return { ...cohort, members };
}

function countResult(
  cohort: Cohort,
  hotkey: string,
  anchor: ResultAnchor,
  consensus: Consensus,
  height: number,
  events: FoldEvent[],
): Cohort {
  const { kind, place: number, digest } = anchor;
  const place = placeAt(cohort, number);
  if (place === null || place.hotkey !== hotkey || place[kind] !== null) return cohort;
  const counts =
    kind === 'attempt'
      ? height <= cohort.assignment_block + consensus.show_blocks
      : place.attempt !== null && height > place.attempt.height + consensus.lag_blocks;
  if (!counts) return cohort;
  const counted: Place = { ...place, [kind]: { digest, height } };
  const name = kind === 'attempt' ? 'attempt_counted' : 'receipt_counted';
  events.push({ kind: name, index: cohort.index, place: number, hotkey, digest });
  const members = cohort.members.map((member, i): Member => {
    if (i !== number >> 1) return member;
    return { ...member, sides: number & 1 ? [member.sides[0], counted] : [counted, member.sides[1]] };
  });
  return { ...cohort, members };
}

function countBallot(
  cohort: Cohort,
  hotkey: string,
  anchor: BallotAnchor,
  recordDigest: string,
  events: FoldEvent[],
): Cohort {
  if (!cohort.active.some((row) => row.hotkey === hotkey)) return cohort;
  const { index } = cohort;
  const { previous } = anchor;
  if (previous !== (recordDigest === '' ? ZERO_DIGEST : recordDigest)) {
    events.push({ kind: 'ballot_of_another_history', index, hotkey, previous });
    return { ...cohort, strangers: withRow(cohort.strangers, { hotkey, previous }) };
  }
  const before = BigInt(`0x${cohort.ballots.find((row) => row.hotkey === hotkey)?.bitmap ?? '0'}`);
  const bitmap = (before | anchor.bitmap).toString(16).padStart(16, '0');
  events.push({ kind: 'ballot_counted', index, hotkey, bitmap });
  const strangers = cohort.strangers.filter((row) => row.hotkey !== hotkey);
  return { ...cohort, strangers, ballots: withRow(cohort.ballots, { hotkey, bitmap }) };
}

/** The rows with this one in the place of its hotkey's, sorted. */
function withRow<T extends { readonly hotkey: string }>(rows: readonly T[], row: T): T[] {
  const others = rows.filter((other) => other.hotkey !== row.hotkey);
  return [...others, row].sort((a, b) => compareAddresses(a.hotkey, b.hotkey));
}

/** True in step 4 of the opening height o of a cohort that is measured (section 5). */
export function opensAt(cohort: Cohort, consensus: Consensus, height: number): boolean {
  const places = placesOf(cohort);
  const { assignment_block: e } = cohort;
  if (height === e + consensus.measure_blocks || places.every((place) => place.receipt !== null)) return true;
  const shown = height >= e + consensus.show_blocks;
  return shown && places.every((place) => place.attempt === null || place.receipt !== null);
}
