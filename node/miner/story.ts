import { FOLLOW_MAX_RESERVATIONS } from './limits.ts';
import type { StoryEvent } from './story-events.ts';

/** What a cohort's record can say of a proposal, and whether that is its end (`peer-protocol.md` sections 7 and 8). */
export const DISPOSITIONS: Readonly<Record<string, { readonly ends: boolean; readonly text: string }>> = {
  crowned: { ends: true, text: 'it is in the stack now and its claim earns weight' },
  failed: { ends: true, text: 'two validators found that it fails' },
  held: { ends: true, text: 'it will not be drawn again' },
  unresolved: { ends: false, text: 'no result that counts; it stays queued and is drawn again' },
  confirmed: { ends: false, text: 'passed; it is measured again by others before it can be crowned' },
  earlier_pending: { ends: false, text: 'passed; an earlier proposal of the same change goes first' },
  conflict_lost: {
    ends: false,
    text: 'passed; another one of its slots was crowned, it is measured again against that',
  },
  incumbent_advanced: { ends: false, text: 'passed; the stack advanced, it is measured again against the new one' },
  no_quorum: { ends: false, text: 'too few ballots: nothing was settled, it stays queued' },
};

/** One line of a proposal's story. */
export interface Step {
  /** Finalized height at which the node told it, or null. */
  readonly height: number | null;
  readonly reservation_id: string;
  readonly text: string;
}

/** How a proposal stands. */
export interface Standing {
  readonly reservation_id: string;
  readonly hotkey: string | null;
  readonly content_hash: string | null;
  /** The last disposition, `expired`, or null before the first close. */
  readonly disposition: string | null;
  readonly reason: string | null;
  /** Nothing more will happen to it. */
  readonly ended: boolean;
}

/** Collects what a node tells about the proposals of one subject: a reservation id, a content hash or a hotkey. */
export class Story {
  readonly #subject: string;
  readonly #standing = new Map<string, Standing>();

  constructor(subject: string) {
    this.#subject = subject;
  }

  /** Oldest first. */
  standings(): readonly Standing[] {
    return [...this.#standing.values()];
  }

  /** At least one proposal is known and all known ones have ended. */
  get ended(): boolean {
    const known = this.standings();
    return known.length > 0 && known.every((standing) => standing.ended);
  }

  /** Makes a proposal known if the subject means it; returns whether it is followed. */
  meet(row: { readonly reservation_id: string; readonly hotkey?: string; readonly content_hash?: string }): boolean {
    const { reservation_id, hotkey = null, content_hash = null } = row;
    if (this.#standing.has(reservation_id)) return true;
    if (![reservation_id, hotkey, content_hash].includes(this.#subject)) return false;
    const fresh = { reservation_id, hotkey, content_hash, disposition: null, reason: null, ended: false };
    this.#standing.set(reservation_id, fresh);
    const [oldest] = this.#standing.keys();
    if (this.#standing.size > FOLLOW_MAX_RESERVATIONS) this.#standing.delete(oldest as string);
    return true;
  }

  /** Takes one event; returns the steps it means for the proposals that are followed. */
  take(height: number, event: StoryEvent): Step[] {
    const step = (reservation_id: string, text: string): Step[] =>
      this.#standing.has(reservation_id) ? [{ height, reservation_id, text }] : [];
    switch (event.type) {
      case 'reservation': {
        const { reservation, hotkey, contentHash } = event;
        if (!this.meet({ reservation_id: reservation, hotkey, content_hash: contentHash })) return [];
        return step(reservation, `ordered: reservation ${reservation} is in the queue`);
      }
      case 'expired':
        this.settle(event.reservation, 'expired', null);
        return step(event.reservation, 'expired: it was in the queue for too long, or its hotkey left the subnet');
      case 'drawn':
        return event.members.flatMap(({ reservation, validators }) => {
          this.meet({ reservation_id: reservation });
          return step(reservation, `drawn in cohort ${event.index}: validators ${validators.join(' and ')}`);
        });
      case 'fetched':
        return step(event.reservation, `fetched: ${event.files} files, ${event.bytes} bytes`);
      case 'unavailable':
        return step(event.reservation, `could not be fetched: ${event.why}`);
      case 'screened':
        return step(event.reservation, `screened: target ${event.target}, delta ${event.delta}`);
      case 'bundle_refused':
        return step(event.reservation, `refused: ${event.why}`);
      case 'measured':
        return step(event.reservation, `place ${event.place} measured here: ${verdict(event)}`);
      case 'regraded':
        return step(event.reservation, `place ${event.place} by ${event.author}: ${verdict(event)}`);
      case 'closed':
        return event.members.flatMap(({ reservation, disposition, reason }) => {
          if (!this.meet({ reservation_id: reservation })) return [];
          this.settle(reservation, disposition, reason);
          return step(reservation, `cohort ${event.index} closed: ${meaning(disposition, reason)}`);
        });
    }
  }

  /** What a close made of a proposal that is followed. */
  settle(reservation: string, disposition: string, reason: string | null): void {
    const standing = this.#standing.get(reservation);
    if (standing === undefined) return;
    const ended = disposition === 'expired' || DISPOSITIONS[disposition]?.ends === true;
    this.#standing.set(reservation, { ...standing, disposition, reason, ended });
  }
}

/** A disposition in words. */
export function meaning(disposition: string, reason: string | null): string {
  const because =
    reason === 'duplicate_delta'
      ? ' (an earlier proposal makes the same change)'
      : reason === 'unresolved'
        ? ' (tried too often without a result)'
        : '';
  const text = DISPOSITIONS[disposition]?.text;
  return text === undefined ? disposition : `${disposition}${because}: ${text}`;
}

function verdict(v: { readonly result: string; readonly reason: string | null; readonly speedup: string | null }) {
  const speed = v.speedup === null ? '' : `, ${Number(v.speedup).toFixed(3)} times as fast`;
  return `${v.result}${v.reason === null ? '' : ` ${v.reason}`}${speed}`;
}
