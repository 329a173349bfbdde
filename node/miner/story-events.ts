import { z } from 'zod';

const reservation = z.string();
const verdict = {
  place: z.int(),
  reservation,
  result: z.string(),
  reason: z.string().nullable(),
  speedup: z.string().nullable(),
};

/** The events of a node (`node/run/events.ts`) that say something about one proposal. Others are passed over. */
export const storyEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('reservation'), reservation, hotkey: z.string(), contentHash: z.string() }),
  z.object({ type: z.literal('expired'), reservation }),
  z.object({
    type: z.literal('drawn'),
    index: z.int(),
    members: z.array(z.object({ reservation, validators: z.array(z.string()) })),
  }),
  z.object({ type: z.literal('fetched'), reservation, files: z.int(), bytes: z.int() }),
  z.object({ type: z.literal('unavailable'), reservation, why: z.string() }),
  z.object({ type: z.literal('screened'), reservation, target: z.string(), delta: z.string() }),
  z.object({ type: z.literal('bundle_refused'), reservation, why: z.string() }),
  z.object({ type: z.literal('measured'), ...verdict }),
  z.object({ type: z.literal('regraded'), author: z.string(), ...verdict }),
  z.object({
    type: z.literal('closed'),
    index: z.int(),
    members: z.array(z.object({ reservation, disposition: z.string(), reason: z.string().nullable() })),
  }),
]);

export type StoryEvent = z.infer<typeof storyEvent>;

/** Answers of the status RPC as far as following needs them. */
export const eventRows = z.array(z.object({ sequence: z.int(), height: z.int(), event: z.unknown() }));
export const queueRows = z.array(
  z.object({ reservation_id: z.string(), hotkey: z.string(), content_hash: z.string(), spent: z.int() }),
);
export const recordRows = z.array(
  z.object({
    index: z.int(),
    close_height: z.int(),
    members: z.array(z.object({ reservation_id: z.string(), disposition: z.string(), reason: z.string().nullable() })),
  }),
);
