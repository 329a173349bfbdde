import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type MinerErrorCode =
  | 'BUNDLE_UNREADABLE'
  | 'BUILD_REFUSED'
  | 'BUILD_UNAVAILABLE'
  | 'HOTKEY_UNREGISTERED'
  | 'COMMIT_PENDING'
  | 'COMMIT_REJECTED'
  | 'COMMIT_UNKNOWN';

/** What a miner's own commands can end with, beside the refusals of a bundle. */
export const MINER_ERRORS: ErrorTable<MinerErrorCode> = {
  BUNDLE_UNREADABLE: {
    fault: 'candidate',
    what: 'no bundle can be read there',
    remedy: 'a folder with manifest.toml, or a .tar.gz of one, at most 64 MiB',
  },
  BUILD_REFUSED: {
    fault: 'candidate',
    what: 'the source does not become an admitted module',
    remedy:
      'AssemblyScript that compiles, whose exports are exactly entry and prepare (docs/MINING.md, slot functions)',
  },
  BUILD_UNAVAILABLE: {
    fault: 'infrastructure',
    what: 'the compiler could not be run on this machine',
    remedy: 'try again; this says nothing about the bundle',
  },
  HOTKEY_UNREGISTERED: {
    fault: 'operator',
    what: 'the hotkey is not registered on this subnet',
    remedy: 'register it, or give the netuid and the hotkey that belong together',
  },
  COMMIT_PENDING: {
    fault: 'infrastructure',
    what: 'a commitment of this hotkey under timelock is not revealed yet; another one would replace it unseen',
    remedy: 'wait for its round, or give --force if it may be lost',
  },
  COMMIT_REJECTED: {
    fault: 'candidate',
    what: 'the chain refused the commitment; nothing was committed',
    remedy: 'SpaceLimitExceeded: the bytes of this tempo are used up, wait for the next; a pool error: see its text',
  },
  COMMIT_UNKNOWN: {
    fault: 'infrastructure',
    what: 'whether the commitment is final could not be seen in time',
    remedy: 'run the command again: it reads the chain before it commits anything',
  },
};

export class MinerError extends CacheonError<MinerErrorCode> {
  constructor(code: MinerErrorCode, message?: string, details?: ErrorDetails) {
    super(code, MINER_ERRORS[code], message, details);
  }
}
