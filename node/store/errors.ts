import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type StoreErrorCode =
  | 'STORE_CORRUPT'
  | 'STORE_MISSING'
  | 'STORE_NEWER'
  | 'STORE_FOREIGN'
  | 'STORE_UNWRITABLE'
  | 'STORE_BUSY'
  | 'STORE_IO'
  | 'STORE_CONFLICT'
  | 'STORE_TRANSACTION'
  | 'DISK_FULL'
  | 'TRANSITION_REFUSED'
  | 'BLOB_MISSING'
  | 'BLOB_CORRUPT'
  | 'BLOB_TOO_LARGE'
  | 'PACK_MALFORMED';

const RESTORE =
  'stop the node, keep a copy of the data directory, restore node.sqlite (with its -wal file) from a backup, or start ' +
  'over with an empty data directory and `cacheon-node init`: the chain and the peers still hold what was lost';

export const STORE_ERRORS: ErrorTable<StoreErrorCode> = {
  STORE_CORRUPT: { fault: 'operator', what: 'the database is damaged', remedy: RESTORE },
  STORE_MISSING: {
    fault: 'operator',
    what: 'the data directory has no database of this node',
    remedy: 'run `cacheon-node init` for a new node; if there was one, mount or restore its data directory first',
  },
  STORE_NEWER: {
    fault: 'operator',
    what: 'the database was written by a newer version',
    remedy: 'install that version again, or restore the backup made before the upgrade',
  },
  STORE_FOREIGN: {
    fault: 'operator',
    what: 'the data directory belongs to another chain, subnet or hotkey',
    remedy: 'correct the configuration, or use a data directory of its own for each',
  },
  STORE_UNWRITABLE: {
    fault: 'operator',
    what: 'the data directory cannot be written',
    remedy: 'give the account of the node write access to node.data_dir',
  },
  STORE_BUSY: { fault: 'infrastructure', what: 'another process holds the database', remedy: 'try again' },
  STORE_IO: { fault: 'infrastructure', what: 'reading or writing the store failed', remedy: 'check the disk' },
  STORE_CONFLICT: {
    fault: 'infrastructure',
    what: 'a row that contradicts one already stored',
    remedy: 'a defect: report it with the logs; the stored row stands',
  },
  STORE_TRANSACTION: {
    fault: 'infrastructure',
    what: 'a transaction was nested or asynchronous',
    remedy: 'a defect: report it with the logs',
  },
  DISK_FULL: {
    fault: 'operator',
    what: 'the disk of the data directory is full',
    remedy: 'free space on the file system of node.data_dir, then start the node again; nothing durable was lost',
  },
  TRANSITION_REFUSED: {
    fault: 'infrastructure',
    what: 'a state transition that the table does not allow',
    remedy: 'a defect: report it with the logs; the stored state stands',
  },
  BLOB_MISSING: { fault: 'infrastructure', what: 'evidence bytes are not here', remedy: 'fetch them from a peer' },
  BLOB_CORRUPT: {
    fault: 'infrastructure',
    what: 'stored evidence bytes do not have their digest',
    remedy: 'check the disk; the node fetches them again from a peer',
  },
  BLOB_TOO_LARGE: { fault: 'peer', what: 'bytes over the limit', remedy: 'at most the size the protocol states' },
  PACK_MALFORMED: {
    fault: 'peer',
    what: 'not a bundle in content-hash form',
    remedy: 'the bytes the content hash is taken over, in component order, within the limits',
  },
};

export class StoreError extends CacheonError<StoreErrorCode> {
  constructor(code: StoreErrorCode, message?: string, details?: ErrorDetails) {
    super(code, STORE_ERRORS[code], message, details);
  }
}

/** SQLite result codes, extended bits taken off. */
const SQLITE: Readonly<Record<number, StoreErrorCode>> = {
  5: 'STORE_BUSY',
  6: 'STORE_BUSY',
  8: 'STORE_UNWRITABLE',
  10: 'STORE_IO',
  11: 'STORE_CORRUPT',
  13: 'DISK_FULL',
  14: 'STORE_UNWRITABLE',
  19: 'STORE_CONFLICT',
  26: 'STORE_CORRUPT',
};

const SYSTEM: Readonly<Record<string, StoreErrorCode>> = {
  ENOSPC: 'DISK_FULL',
  EDQUOT: 'DISK_FULL',
  EACCES: 'STORE_UNWRITABLE',
  EPERM: 'STORE_UNWRITABLE',
  EROFS: 'STORE_UNWRITABLE',
  ENOENT: 'BLOB_MISSING',
};

/** The typed form of what SQLite or the file system threw; what is ours already passes unchanged. */
export function storeError(error: unknown, field?: string): StoreError {
  if (error instanceof StoreError) return error;
  const { code, errcode } = error as { code?: string; errcode?: number };
  const mapped = code === 'ERR_SQLITE_ERROR' ? SQLITE[(errcode ?? 0) & 0xff] : SYSTEM[code ?? ''];
  if (mapped === undefined && !(code === 'ERR_SQLITE_ERROR' || /^E[A-Z]+$/.test(code ?? ''))) throw error;
  const details = field === undefined ? { cause: error } : { cause: error, field };
  return new StoreError(mapped ?? 'STORE_IO', undefined, details);
}
