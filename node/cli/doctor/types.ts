import type { NodeConfig } from '../../../config/schema/index.ts';

/** One fact about the host or the node's files. `warn` does not stop the node from starting. */
export interface Check {
  readonly name: string;
  readonly level: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** What to do; null if it is ok. */
  readonly remedy: string | null;
}

export interface DoctorContext {
  readonly config: NodeConfig;
  /** A node with this configuration answers on its socket. */
  readonly running: boolean;
  readonly signal: AbortSignal;
}

export function ok(name: string, detail: string): Check {
  return { name, level: 'ok', detail, remedy: null };
}

export function warn(name: string, detail: string, remedy: string): Check {
  return { name, level: 'warn', detail, remedy };
}

export function fail(name: string, detail: string, remedy: string): Check {
  return { name, level: 'fail', detail, remedy };
}
