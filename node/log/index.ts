import { type DestinationStream, type Logger, pino } from 'pino';
import { describeError } from './describe.ts';

export { describeError } from './describe.ts';
export { type LimitedLine, rateLimited } from './rate.ts';
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
