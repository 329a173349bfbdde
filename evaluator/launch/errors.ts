import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type LaunchErrorCode = 'RULES_MISMATCH' | 'EVALUATION_INVALID' | 'RUNTIME_DIFFERS';

/** Errors of arena, evaluation and launch objects. */
export const LAUNCH_ERRORS: ErrorTable<LaunchErrorCode> = {
  RULES_MISMATCH: {
    fault: 'operator',
    what: 'an arena, evaluation, policy or reference object is not the one that is named',
    remedy: 'the objects whose digests the ruling consensus object names, in the configuration folder',
  },
  EVALUATION_INVALID: {
    fault: 'operator',
    what: 'evaluation object malformed',
    remedy: 'the closed object of names.md, with launches and blocks as the speed policy has them',
  },
  RUNTIME_DIFFERS: {
    fault: 'operator',
    what: 'this host runs another runtime than the arena fixes',
    remedy: 'the Node and compiler whose runtime_digest the reference manifest names',
  },
};

export class LaunchError extends CacheonError<LaunchErrorCode> {
  constructor(code: LaunchErrorCode, message?: string, details?: ErrorDetails) {
    super(code, LAUNCH_ERRORS[code], message, details);
  }
}
