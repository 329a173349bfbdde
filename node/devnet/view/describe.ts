import type { NodeEvent } from '../../run/events.ts';
import type { Board } from '../board.ts';

/** One event as a line for a person, or null where it says nothing new to one. */
export function describe(event: NodeEvent, board: Board): string | null {
  const who = (reservation: string): string => board.nameOf(reservation);
  switch (event.type) {
    case 'state':
      return event.detail === '' ? event.state : `${event.state}: ${event.detail}`;
    case 'reservation':
      return `proposal of ${who(event.reservation)} finalized and ordered, reservation ${short(event.reservation)}`;
    case 'proposal_refused':
      return `a proposal was refused: its hotkey has too many in the queue`;
    case 'expired':
      return `${who(event.reservation)} expired`;
    case 'cohort_opened':
      return `${event.waiting} waiting: a cohort is to be drawn`;
    case 'drawn':
      return `cohort ${event.index} drawn by block ${short(event.entropy)}: ${event.members.map((m) => who(m.reservation)).join(', ')}`;
    case 'fetched':
      return `bundle of ${who(event.reservation)} fetched: ${event.files} files, ${event.bytes} bytes`;
    case 'unavailable':
      return `bundle of ${who(event.reservation)} could not be had: ${event.why}`;
    case 'screened':
      return `${who(event.reservation)} screened: target ${event.target}, delta ${short(event.delta)}`;
    case 'bundle_refused':
      return `${who(event.reservation)} refused: ${event.why}`;
    case 'attempt_anchored':
      return `attempt on ${who(event.reservation)} anchored, place ${event.place}`;
    case 'measuring':
      return `${who(event.reservation)}, place ${event.place}: ${event.stage}`;
    case 'measured':
      return `${who(event.reservation)}, place ${event.place} measured: ${verdict(event)}`;
    case 'receipt_anchored':
      return `receipt ${short(event.receipt)} of ${who(event.reservation)} anchored, place ${event.place}`;
    case 'opened':
      return `cohort ${event.index} opened: evidence may be shown`;
    case 'announced':
      return `evidence of place ${event.place} gossiped, receipt ${short(event.receipt)}`;
    case 'regraded':
      return `${who(event.reservation)}, place ${event.place} regraded: ${verdict(event)}`;
    case 'ballot_anchored':
      return `ballot anchored: holds places ${event.places.join(' ')}`;
    case 'waiting':
      return `waits for ${event.missing} result${event.missing === 1 ? '' : 's'}`;
    case 'closed': {
      const members = event.members.map((m) => {
        const speed = m.speedup === null ? '' : ` x${Number(m.speedup).toFixed(3)}`;
        return `${who(m.reservation)} ${m.disposition}${speed}${m.reason === null ? '' : ` (${m.reason})`}`;
      });
      return `cohort ${event.index} settled: ${members.join(', ')}; record ${short(event.record)} stack ${short(event.stack)}`;
    }
    case 'weights':
      return `weights for height ${event.height} ${event.state}${event.detail === '' ? '' : `: ${event.detail}`}`;
  }
}

function verdict(v: { result: string; reason: string | null; speedup: string | null }): string {
  const speed = v.speedup === null ? '' : ` x${Number(v.speedup).toFixed(3)}`;
  return `${v.result}${speed}${v.reason === null ? '' : ` (${v.reason})`}`;
}

/** The first characters of a digest. */
export function short(digest: string): string {
  return digest.replace(/^0x/, '').slice(0, 10);
}
