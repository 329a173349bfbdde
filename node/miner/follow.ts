import type { z } from 'zod';
import { callStatus, StatusError } from '../rpc/index.ts';
import { FOLLOW_EVENT_PAGES, FOLLOW_PAGE_ROWS, FOLLOW_POLL_MS, FOLLOW_RECORD_PAGES } from './limits.ts';
import { meaning, type Standing, type Step, Story } from './story.ts';
import { eventRows, queueRows, recordRows, storyEvent } from './story-events.ts';

export interface FollowRequest {
  /** A node's status socket, or its `http://` address. */
  readonly status: string;
  /** A reservation id, a content hash, or an SS58 hotkey. */
  readonly subject: string;
  /** Look once instead of until the end. */
  readonly once?: boolean;
  readonly pollMs?: number;
}

export interface Followed {
  readonly standings: readonly Standing[];
  /** Place in the queue of each that waits, from 1. */
  readonly queue: ReadonlyMap<string, number>;
  readonly steps: readonly Step[];
  readonly ended: boolean;
}

/**
 * Follows the proposals of one subject at a node until nothing more will happen to any of them, or `signal` fires.
 * @param say told each step as it is seen
 * @throws StatusError
 */
export async function followProposal(
  request: FollowRequest,
  say: (step: Step) => void,
  signal: AbortSignal,
): Promise<Followed> {
  const story = new Story(request.subject);
  const steps: Step[] = [];
  const tell = (found: readonly Step[]): void => {
    for (const step of found) {
      steps.push(step);
      say(step);
    }
  };
  const node = statusReader(request.status);
  const cursor = { after: 0 };
  const look = async (): Promise<Followed> => {
    // The queue first: it makes known what the event log, a ring, may have forgotten.
    const waiting = (await node.queue()).map((row, i) => ({ ...row, position: i + 1 }));
    const queue = new Map(waiting.filter((row) => story.meet(row)).map((row) => [row.reservation_id, row.position]));
    tell(await newSteps(node, story, cursor));
    if (story.standings().length === 0) tell(await recordedSteps(node, story, request.subject));
    return { standings: story.standings(), queue, steps, ended: story.ended };
  };
  let seen = await look();
  while (request.once !== true && !seen.ended && !signal.aborted) {
    await pause(request.pollMs ?? FOLLOW_POLL_MS, signal);
    seen = await look().catch((error: unknown) => {
      // A node that answered before is being restarted: asked again at the next look.
      if (error instanceof StatusError && error.code === 'STATUS_UNREACHABLE') return seen;
      throw error;
    });
  }
  return seen;
}

interface StatusReader {
  events(after: number): Promise<z.infer<typeof eventRows>>;
  queue(): Promise<z.infer<typeof queueRows>>;
  records(before: number | null): Promise<z.infer<typeof recordRows>>;
}

function statusReader(address: string): StatusReader {
  const limit = FOLLOW_PAGE_ROWS;
  const read = async <T>(schema: z.ZodType<T>, method: string, params: object): Promise<T> => {
    const parsed = schema.safeParse(await callStatus(address, method, params));
    if (!parsed.success) throw new StatusError('STATUS_ANSWER', undefined, { field: method });
    return parsed.data;
  };
  return {
    events: (after) => read(eventRows, 'events', { after, limit }),
    queue: () => read(queueRows, 'queue', {}),
    records: (before) => read(recordRows, 'records', before === null ? { limit } : { before, limit }),
  };
}

async function newSteps(node: StatusReader, story: Story, cursor: { after: number }): Promise<Step[]> {
  const steps: Step[] = [];
  for (let page = 0; page < FOLLOW_EVENT_PAGES; page += 1) {
    const rows = await node.events(cursor.after);
    for (const { sequence, height, event } of rows) {
      cursor.after = Math.max(cursor.after, sequence);
      const known = storyEvent.safeParse(event);
      if (known.success) steps.push(...story.take(height, known.data));
    }
    if (rows.length < FOLLOW_PAGE_ROWS) break;
  }
  return steps;
}

/** The last record that names the reservation, if the event log has forgotten it. */
async function recordedSteps(node: StatusReader, story: Story, subject: string): Promise<Step[]> {
  let before: number | null = null;
  for (let page = 0; page < FOLLOW_RECORD_PAGES; page += 1) {
    const rows = await node.records(before);
    for (const { index, close_height: height, members } of rows) {
      const member = members.find(({ reservation_id }) => reservation_id === subject);
      if (member === undefined) continue;
      story.meet(member);
      story.settle(member.reservation_id, member.disposition, member.reason);
      const text = `cohort ${index} closed: ${meaning(member.disposition, member.reason)}`;
      return [{ height, reservation_id: subject, text }];
    }
    before = rows.at(-1)?.index ?? null;
    if (before === null || rows.length < FOLLOW_PAGE_ROWS) break;
  }
  return [];
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}
