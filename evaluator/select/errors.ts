import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type SelectErrorCode =
  | 'SECRET_LENGTH'
  | 'POOL_INVALID'
  | 'SELECT_COUNT'
  | 'DIGEST_INVALID'
  | 'POOL_TOO_SMALL'
  | 'CALIBRATION_INVALID';

/** Errors of prompt selection. The fault is that of whoever supplied the values; regrade overrides it. */
export const SELECT_ERRORS: ErrorTable<SelectErrorCode> = {
  SECRET_LENGTH: { fault: 'peer', what: 'selection secret too short or too long', remedy: '32 to 4,096 bytes' },
  POOL_INVALID: {
    fault: 'peer',
    what: 'prompt digests are not a pool',
    remedy: 'digests, sorted, each once, not empty',
  },
  SELECT_COUNT: { fault: 'peer', what: 'select_count out of range', remedy: '1 to the number of prompts' },
  DIGEST_INVALID: { fault: 'peer', what: 'not a digest', remedy: '64 lowercase hex digits, not all zero' },
  POOL_TOO_SMALL: {
    fault: 'operator',
    what: 'the prompt pool is smaller than what one process needs',
    remedy: 'a larger prompt_count in the evaluation object',
  },
  CALIBRATION_INVALID: {
    fault: 'peer',
    what: 'calibration cannot size a block',
    remedy: 'positive elapsed times, as many as the schedule names',
  },
};

export class SelectError extends CacheonError<SelectErrorCode> {
  constructor(code: SelectErrorCode, message?: string, details?: ErrorDetails) {
    super(code, SELECT_ERRORS[code], message, details);
  }
}
