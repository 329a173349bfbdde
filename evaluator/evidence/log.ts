import { ObjectReader } from '../fields/index.ts';
import { DETAIL_MAX_CHARS } from './limits.ts';

/** Where a run ended; `done` only for a PASS. */
export const STAGES = ['plan', 'build', 'audit', 'timed', 'reference', 'done'] as const;
export type Stage = (typeof STAGES)[number];

/** log.json: what a human wants to know, and how long the timing lock was held. */
export interface RunLog {
  readonly stage: Stage;
  readonly elapsed_ms: number;
  readonly detail: string;
}

/** A detail in printable ASCII, bounded: it may quote text that a candidate chose. */
export function plainDetail(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, DETAIL_MAX_CHARS);
}

export function logFile(log: RunLog): unknown {
  return { schema_version: 1, ...log, detail: plainDetail(log.detail) };
}

/** @throws FieldError */
export function parseLog(value: unknown): RunLog {
  const reader = new ObjectReader(value, 'log', ['schema_version', 'stage', 'elapsed_ms', 'detail']);
  reader.literal('schema_version', 1);
  return {
    stage: reader.oneOf('stage', STAGES),
    elapsed_ms: reader.integer('elapsed_ms', 0),
    detail: reader.text('detail', DETAIL),
  };
}

export const DETAIL = new RegExp(`^[\\x20-\\x7e]{0,${DETAIL_MAX_CHARS}}$`);
