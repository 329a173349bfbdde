import { z } from 'zod';
import { PAGE_DEFAULT_ROWS, PAGE_MAX_ROWS } from './limits.ts';
import type { PageRequest, StatusSource } from './types.ts';

const none = z.strictObject({});
const since = z.strictObject({
  after: z.int().min(0).optional(),
  limit: z.int().min(1).max(PAGE_MAX_ROWS).optional(),
});
const page = z.strictObject({
  before: z.int().min(0).optional(),
  limit: z.int().min(1).max(PAGE_MAX_ROWS).optional(),
});

/** One method: the schema of its parameters, by name, and what it answers. */
export interface Method {
  /** @returns the result, or null if the parameters are not valid */
  call(params: unknown, source: StatusSource): { readonly result: unknown } | null;
}

function plain(answer: (source: StatusSource) => unknown): Method {
  return { call: (params, source) => (none.safeParse(params).success ? { result: answer(source) } : null) };
}

function paged(answer: (source: StatusSource, request: PageRequest) => unknown): Method {
  return {
    call(params, source) {
      const parsed = page.safeParse(params);
      if (!parsed.success) return null;
      const { before = null, limit = PAGE_DEFAULT_ROWS } = parsed.data;
      return { result: answer(source, { before, limit }) };
    },
  };
}

/** Events go forward, so that a reader can follow them. */
const events: Method = {
  call(params, source) {
    const parsed = since.safeParse(params);
    if (!parsed.success) return null;
    const { after = 0, limit = PAGE_DEFAULT_ROWS } = parsed.data;
    return { result: source.events(after, limit) };
  },
};

/** Every method of the status RPC. All of them only read. */
export const METHODS: ReadonlyMap<string, Method> = new Map([
  ['status', plain((source) => source.status())],
  ['health', plain((source) => source.health())],
  ['peers', plain((source) => source.status().peers)],
  ['cohort', plain((source) => source.status().cohort)],
  ['queue', plain((source) => source.queue())],
  ['journal', paged((source, request) => source.journal(request))],
  ['records', paged((source, request) => source.records(request))],
  ['events', events],
  ['weights', plain((source) => source.status().weights)],
  ['version', plain((source) => source.version())],
]);
