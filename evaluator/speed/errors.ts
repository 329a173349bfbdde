import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type SpeedErrorCode = 'SPEED_POLICY_INVALID' | 'BLOCKS_INVALID' | 'READS_INVALID' | 'NOT_FINITE';

/** Errors of speed policies. */
export const SPEED_ERRORS: ErrorTable<SpeedErrorCode> = {
  SPEED_POLICY_INVALID: {
    fault: 'operator',
    what: 'speed policy malformed',
    remedy: 'the fields and bounds of names.md (v9) or protocol.md section 12 (v7, v8)',
  },
  BLOCKS_INVALID: {
    fault: 'peer',
    what: 'raw block times malformed or incomplete',
    remedy: 'one positive integer of nanoseconds for every block of the schedule',
  },
  READS_INVALID: {
    fault: 'peer',
    what: 'reads malformed, missing, or more than the policy takes',
    remedy: 'the reads of protocol.md section 12, each with enough timed windows',
  },
  NOT_FINITE: { fault: 'peer', what: 'a value that has no decimal form', remedy: 'a finite positive number' },
};

export class SpeedError extends CacheonError<SpeedErrorCode> {
  constructor(code: SpeedErrorCode, message?: string, details?: ErrorDetails) {
    super(code, SPEED_ERRORS[code], message, details);
  }
}
