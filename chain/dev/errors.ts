import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type DevChainErrorCode =
  | 'DEVCHAIN_CONFIG'
  | 'DEVCHAIN_DATABASE_CORRUPT'
  | 'DEVCHAIN_DATABASE_BUSY'
  | 'DEVCHAIN_OTHER_GENESIS'
  | 'SCALE_MALFORMED';

/** Errors of the development chain. What a client sends wrong is answered by JSON-RPC errors instead. */
export const DEVCHAIN_ERRORS: ErrorTable<DevChainErrorCode> = {
  DEVCHAIN_CONFIG: {
    fault: 'operator',
    what: 'the development chain cannot start from this configuration',
    remedy: 'a JSON file with exactly the fields of chain/dev/config.ts',
  },
  DEVCHAIN_DATABASE_CORRUPT: {
    fault: 'operator',
    what: 'the chain database cannot be read',
    remedy: 'remove the database to start a new chain, or restore it from a copy',
  },
  DEVCHAIN_DATABASE_BUSY: {
    fault: 'operator',
    what: 'another process has the chain database open',
    remedy: 'stop the other development chain or use another db_path',
  },
  DEVCHAIN_OTHER_GENESIS: {
    fault: 'operator',
    what: 'the chain database was made from another genesis configuration',
    remedy: 'use the configuration it was made from, or another db_path',
  },
  SCALE_MALFORMED: { fault: 'peer', what: 'malformed SCALE bytes', remedy: 'the encoding the metadata describes' },
};

export class DevChainError extends CacheonError<DevChainErrorCode> {
  constructor(code: DevChainErrorCode, message?: string, details?: ErrorDetails) {
    super(code, DEVCHAIN_ERRORS[code], message, details);
  }
}
