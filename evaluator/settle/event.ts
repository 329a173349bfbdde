import { type Integer, ObjectReader, requireDigest } from '../fields/index.ts';
import { canonicalDigest } from '../identity/index.ts';
import type { ArmIdentity } from '../plan/index.ts';
import { DOMAIN, IDENTIFIER } from './constants.ts';
import { SettlementError } from './errors.ts';

const EVENT_TYPES = [
  'HOLD',
  'CROWN',
  'ADOPTION',
  'RETIREMENT',
  'NEUTRALIZATION',
  'STACK_TRANSITION',
  'DISCOVERY_BOUNTY',
] as const;
export type SettlementEventType = (typeof EVENT_TYPES)[number];

const REASONS = {
  HOLD: ['stale_incumbent', 'conflict_lost', 'incumbent_advanced'],
  CROWN: ['qualified_win'],
  ADOPTION: ['adopted'],
  RETIREMENT: ['superseded'],
  NEUTRALIZATION: ['displaced'],
  STACK_TRANSITION: ['incumbent_updated'],
  DISCOVERY_BOUNTY: ['qualified_discovery'],
} as const satisfies Record<SettlementEventType, readonly string[]>;
export type SettlementReason = (typeof REASONS)[SettlementEventType][number];

/** One entry of the settlement journal (`protocol.md` section 7). */
export interface SettlementEvent {
  readonly candidate_digest: string;
  readonly event_type: SettlementEventType;
  readonly from_stack_digest: string;
  readonly from_tree_digest: string;
  readonly to_stack_digest: string;
  readonly to_tree_digest: string;
  /** Digest of the event before, "" at genesis. */
  readonly previous_event_digest: string;
  readonly reason: SettlementReason;
  readonly sequence: Integer;
  readonly subject_digest: string;
  readonly target_id: string;
}

/** Where the journal stands: the next event's sequence, and the digest of the last event ("" if none). */
export interface JournalHead {
  readonly sequence: Integer;
  readonly head: string;
}

/** What an event says, before the journal gives it its place. */
export interface EventContent {
  readonly type: SettlementEventType;
  readonly reason: SettlementReason;
  readonly candidateDigest: string;
  readonly subjectDigest: string;
  readonly targetId: string;
  readonly from: ArmIdentity;
  readonly to: ArmIdentity;
}

export function eventDigest(event: SettlementEvent): string {
  return canonicalDigest(DOMAIN.event, event);
}

/** Appends events to a journal: each names the digest of the one before and counts on from it. */
export class JournalWriter {
  readonly events: SettlementEvent[] = [];
  #sequence: Integer;
  #head: string;

  constructor(journal: JournalHead) {
    this.#sequence = journal.sequence;
    this.#head = journal.head;
  }

  append(content: EventContent): void {
    const event: SettlementEvent = {
      candidate_digest: content.candidateDigest,
      event_type: content.type,
      from_stack_digest: content.from.stack_digest,
      from_tree_digest: content.from.tree_digest,
      to_stack_digest: content.to.stack_digest,
      to_tree_digest: content.to.tree_digest,
      previous_event_digest: this.#head,
      reason: content.reason,
      sequence: this.#sequence,
      subject_digest: content.subjectDigest,
      target_id: content.targetId,
    };
    this.events.push(event);
    this.#head = eventDigest(event);
    this.#sequence = typeof this.#sequence === 'bigint' ? this.#sequence + 1n : this.#sequence + 1;
  }
}

/**
 * Parses a closed event.
 * @throws FieldError
 */
export function parseEvent(value: unknown, at = 'event'): SettlementEvent {
  const reader = new ObjectReader(value, at, [
    'candidate_digest',
    'event_type',
    'from_stack_digest',
    'from_tree_digest',
    'to_stack_digest',
    'to_tree_digest',
    'previous_event_digest',
    'reason',
    'sequence',
    'subject_digest',
    'target_id',
  ]);
  const type = reader.oneOf('event_type', EVENT_TYPES);
  return {
    candidate_digest: reader.digest('candidate_digest'),
    event_type: type,
    from_stack_digest: reader.digest('from_stack_digest'),
    from_tree_digest: reader.digest('from_tree_digest'),
    to_stack_digest: reader.digest('to_stack_digest'),
    to_tree_digest: reader.digest('to_tree_digest'),
    previous_event_digest: readPrevious(reader.raw('previous_event_digest'), reader.at('previous_event_digest')),
    reason: reader.oneOf('reason', REASONS[type]),
    sequence: reader.wideInteger('sequence', 0),
    subject_digest: reader.digest('subject_digest'),
    target_id: reader.text('target_id', IDENTIFIER),
  };
}

/**
 * "" or a digest: the head of a journal.
 * @throws FieldError
 */
export function readPrevious(value: unknown, field: string): string {
  return value === '' ? '' : requireDigest(value, field);
}

/**
 * Follows events from a journal head: sequence, previous digest, and stacks that continue each other.
 * @returns the journal after the last event
 * @throws SettlementError JOURNAL_BROKEN naming the event
 */
export function replayEvents(journal: JournalHead, events: readonly SettlementEvent[]): JournalHead {
  let { sequence, head } = journal;
  let current: ArmIdentity | null = null;
  for (const event of events) {
    const from = { stack_digest: event.from_stack_digest, tree_digest: event.from_tree_digest };
    const to = { stack_digest: event.to_stack_digest, tree_digest: event.to_tree_digest };
    const continues = current === null || isSame(current, from);
    if (BigInt(event.sequence) !== BigInt(sequence) || event.previous_event_digest !== head || !continues) {
      throw new SettlementError('JOURNAL_BROKEN', undefined, { field: `events[${event.sequence}]` });
    }
    current = event.event_type === 'STACK_TRANSITION' ? to : from;
    head = eventDigest(event);
    sequence = BigInt(sequence) + 1n;
  }
  return { sequence: sequence <= Number.MAX_SAFE_INTEGER ? Number(sequence) : sequence, head };
}

function isSame(a: ArmIdentity, b: ArmIdentity): boolean {
  return a.stack_digest === b.stack_digest && a.tree_digest === b.tree_digest;
}
