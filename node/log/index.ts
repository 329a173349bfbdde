import { type DestinationStream, type Logger, pino } from 'pino';
import { CacheonError } from '../../config/errors.ts';

export { rateLimited } from './rate.ts';
export type { Logger };

/** Names whose values are never written, at any of the first three levels of an object. */
const SECRET_NAMES = [
  'authorization',
  'cookie',
  'credential',
  'hotkey_uri',
  'mnemonic',
  'password',
  'phrase',
  'privateKey',
  'secret',
  'secretPhrase',
  'secretSeed',
  'seed',
  'token',
  'uri',
  'url',
];
const REDACT_PATHS = SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

export interface LogOptions {
  readonly level: string;
  /** Where lines go; standard output if absent. journald stores them. */
  readonly destination?: DestinationStream;
}

/**
 * The daemon's log: one JSON object a line. An error under `err` is written as code, fault, field and message; what
 * caused it is written without its text if it is not one of ours, because foreign messages may quote secrets.
 */
export function createLogger({ level, destination }: LogOptions): Logger {
  const options = {
    level,
    base: null,
    redact: { paths: REDACT_PATHS, censor: '(redacted)' },
    serializers: { err: describeError },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** What may be written of an error. */
export function describeError(error: unknown): Record<string, unknown> {
  if (error instanceof CacheonError) {
    const { code, fault, field, message, cause } = error;
    return { code, fault, field, message, ...(cause === undefined ? {} : { cause: nameOf(cause) }) };
  }
  // A foreign error is a defect or a library's: its stack says where, its message may quote what it was given.
  const stack = error instanceof Error ? error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) : undefined;
  return {
    code: nameOf(error),
    ...(stack === undefined ? {} : { stack: stack.slice(0, 8).map((line) => line.trim()) }),
  };
}

function nameOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : typeof error;
}
