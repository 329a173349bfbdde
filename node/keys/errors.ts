import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type KeyErrorCode =
  | 'KEY_MODE'
  | 'KEY_UNREADABLE'
  | 'KEY_MALFORMED'
  | 'KEY_EXISTS'
  | 'NODE_KEY_MISSING'
  | 'HOTKEY_MISSING';

export const KEY_ERRORS: ErrorTable<KeyErrorCode> = {
  KEY_MODE: {
    fault: 'operator',
    what: 'a key can be read or written by others',
    remedy: 'chmod 600 the key file and chmod 700 the key folder',
  },
  KEY_UNREADABLE: {
    fault: 'operator',
    what: 'a key file cannot be read',
    remedy: 'make it a regular file that the account of the node can read',
  },
  KEY_MALFORMED: {
    fault: 'operator',
    what: 'a key file does not hold a key',
    remedy: 'restore the file from a backup; keys/node.key holds 64 hex digits',
  },
  KEY_EXISTS: { fault: 'operator', what: 'there is a node key already', remedy: 'keep it, or move it away first' },
  NODE_KEY_MISSING: {
    fault: 'operator',
    what: 'the data directory has no node key',
    remedy: 'run `cacheon-node init`; a new node key needs a new binding, which the node makes at its next start',
  },
  HOTKEY_MISSING: {
    fault: 'operator',
    what: 'no hotkey is configured',
    remedy: 'set keys.hotkey_file to the file of a hotkey that is registered on the subnet (devnet: keys.hotkey_uri)',
  },
};

/** Never carries a key, nor the text of a file that may hold one. */
export class KeyError extends CacheonError<KeyErrorCode> {
  constructor(code: KeyErrorCode, message?: string, details?: ErrorDetails) {
    super(code, KEY_ERRORS[code], message, details);
  }
}
