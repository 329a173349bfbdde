import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type RunErrorCode =
  | 'ANCHOR_NOT_FINALIZED'
  | 'ARENA_MISMATCH'
  | 'RESTART_ORDERED'
  | 'BYTES_UNAVAILABLE'
  | 'WEIGHTS_NOT_PUBLISHED';

export const RUN_ERRORS: ErrorTable<RunErrorCode> = {
  ANCHOR_NOT_FINALIZED: {
    fault: 'infrastructure',
    what: 'an anchor did not reach finalized state',
    remedy: 'it is sent again while it can still count; see the commitment budget if it stays',
  },
  ARENA_MISMATCH: {
    fault: 'operator',
    what: 'the consensus object names another arena than this release and runtime derive',
    remedy: 'install the release that the subnet owner announced, or its consensus object',
  },
  RESTART_ORDERED: {
    fault: 'operator',
    what: 'the subnet owner ordered a return to an earlier cohort record',
    remedy: 'start over from an empty data directory with the new consensus object as the active one',
  },
  BYTES_UNAVAILABLE: {
    fault: 'infrastructure',
    what: 'no peer delivers the bytes',
    remedy: 'wait; connect to more peers if it stays',
  },
  WEIGHTS_NOT_PUBLISHED: {
    fault: 'infrastructure',
    what: 'weights could not be published yet',
    remedy: 'they are tried again; see status for the reason',
  },
};

/**
 * A disk that is full, a chain that cannot be decoded, a damaged database: nothing here mends it, so the node ends and
 * says so. What only keeps weights from being published is a named state instead.
 */
export function endsTheNode(error: unknown): boolean {
  return error instanceof CacheonError && error.fault === 'operator' && !error.code.startsWith('WEIGHTS_');
}

export class RunError extends CacheonError<RunErrorCode> {
  constructor(code: RunErrorCode, message?: string, details?: ErrorDetails) {
    super(code, RUN_ERRORS[code], message, details);
  }
}
