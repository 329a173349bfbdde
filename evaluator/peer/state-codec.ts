import * as z from 'zod';
import { canonicalJson, isDigest, isHexDigest, parseStrictJson } from '../identity/index.ts';
import { consensusDigest, parseConsensus } from './consensus.ts';
import { PeerError } from './errors.ts';
import { isAddressForm } from './ss58.ts';
import type { FoldState } from './state.ts';

const address = z.string().refine(isAddressForm);
const digest = z.string().refine(isDigest);
const anyDigest = z.string().refine(isHexDigest);
const digestOrEmpty = z.string().refine((text) => text === '' || isHexDigest(text));
const blockHash = z.string().regex(/^0x[0-9a-f]{64}$/);
const amount = z.string().regex(/^(?:0|[1-9][0-9]{0,38})$/);
const count = z.int().min(0);

const reservation = z.strictObject({
  reservation_id: digest,
  hotkey: address,
  content_hash: anyDigest,
  url: z.string().max(1024),
  block: count,
  event_index: count,
  event_subindex: count,
  committed: z.int(),
  spent: count,
  passes: count,
  delta: anyDigest.nullable(),
  drawn: z.array(address),
});
const anchor = z.strictObject({ digest: anyDigest, height: count }).nullable();
const place = z.strictObject({
  hotkey: address,
  coldkey: address,
  attempt: anchor,
  seed_hash: blockHash.nullable(),
  receipt: anchor,
});
const cohort = z.strictObject({
  index: count,
  opened: count,
  assignment_block: count,
  incumbent_stack_digest: digest,
  active: z.array(z.strictObject({ hotkey: address, coldkey: address, stake: amount })),
  members: z.array(z.strictObject({ reservation_id: digest, sides: z.tuple([place, place]) })),
  ballots: z.array(z.strictObject({ hotkey: address, bitmap: z.string().regex(/^[0-9a-f]{16}$/) })),
  strangers: z.array(z.strictObject({ hotkey: address, previous: anyDigest })),
});
const phase = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('idle') }),
  z.strictObject({ kind: z.literal('drawing'), opened: count, draw_height: count }),
  z.strictObject({ kind: z.literal('measuring'), cohort }),
  z.strictObject({ kind: z.literal('ballots'), cohort, opening_height: count }),
]);
const stakes = z.array(z.strictObject({ hotkey: address, stake: amount }));
const state = z.strictObject({
  schema_version: z.literal(1),
  consensus: z.unknown().transform(parseConsensus),
  consensus_digest: digest,
  height: z.int().min(-1),
  policy_notice_blocks: count,
  resume_height: count,
  ledger: z.strictObject({ stack_digest: digest, journal_head: digestOrEmpty, claims_digest: digestOrEmpty }),
  next_index: count,
  record_digest: digestOrEmpty,
  no_quorum_streak: count,
  last_draw: z
    .strictObject({
      height: count,
      active_coldkeys: count,
      active_stake: amount,
      permitted_stake: amount,
      drawn: count,
    })
    .nullable(),
  queue: z.array(reservation),
  ready: z.array(z.strictObject({ hotkey: address, height: count, capacity: count })),
  penalties: z.array(z.strictObject({ coldkey: address, strikes: count, absent: count, until: count })),
  samples: z.array(z.strictObject({ height: count, stakes })),
  policy: z.array(z.strictObject({ digest: anyDigest, activation_height: amount, anchored_at: count })),
  expired: z.array(digest),
  phase,
}) satisfies z.ZodType<FoldState>;

/** The state's canonical JSON: one text per state. */
export function serializeFoldState(value: FoldState): string {
  return canonicalJson(value);
}

/**
 * Reads what {@link serializeFoldState} wrote.
 * @throws PeerError FOLD_STATE_MALFORMED naming the first field that is not as written
 */
export function parseFoldState(text: string): FoldState {
  let json: unknown;
  try {
    json = parseStrictJson(text);
  } catch (cause) {
    throw new PeerError('FOLD_STATE_MALFORMED', 'not strict JSON', { cause });
  }
  const parsed = checked(json);
  if (parsed.consensus_digest !== consensusDigest(parsed.consensus)) {
    throw new PeerError('FOLD_STATE_MALFORMED', undefined, { field: 'consensus_digest' });
  }
  const ids = new Set(parsed.queue.map((row) => row.reservation_id));
  const open = 'cohort' in parsed.phase ? parsed.phase.cohort.members : [];
  if (open.some((member) => !ids.has(member.reservation_id))) {
    throw new PeerError('FOLD_STATE_MALFORMED', 'a member that is not queued', { field: 'phase.cohort.members' });
  }
  if (serializeFoldState(parsed) !== text) throw new PeerError('FOLD_STATE_MALFORMED', 'not the canonical text');
  return parsed;
}

function checked(json: unknown): FoldState {
  let result: z.ZodSafeParseResult<FoldState>;
  try {
    result = state.safeParse(json);
  } catch (cause) {
    throw new PeerError('FOLD_STATE_MALFORMED', undefined, { field: 'consensus', cause });
  }
  if (result.success) return result.data;
  const field = result.error.issues[0]?.path.join('.') ?? '';
  throw new PeerError('FOLD_STATE_MALFORMED', undefined, { field: field.slice(0, 200) });
}
