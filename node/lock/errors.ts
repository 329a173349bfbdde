import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type LockErrorCode = 'DATA_DIR_LOCKED' | 'LOCK_UNUSABLE' | 'LOCK_ABORTED';

export const LOCK_ERRORS: ErrorTable<LockErrorCode> = {
  DATA_DIR_LOCKED: {
    fault: 'operator',
    what: 'another process of cacheon-node uses this data directory',
    remedy: 'stop that process, or give each node a node.data_dir of its own; the lock goes away with the process',
  },
  LOCK_UNUSABLE: {
    fault: 'operator',
    what: 'the lock file cannot be opened',
    remedy: 'make its folder writable for the account of the node; all nodes of a host share lanes.timing_lock',
  },
  LOCK_ABORTED: { fault: 'infrastructure', what: 'waiting for the lock was given up', remedy: 'try again' },
};

export class LockError extends CacheonError<LockErrorCode> {
  constructor(code: LockErrorCode, message?: string, details?: ErrorDetails) {
    super(code, LOCK_ERRORS[code], message, details);
  }
}
