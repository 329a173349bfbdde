import { CacheonError } from '../../config/errors.ts';

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
