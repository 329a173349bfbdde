import type { Invalidity } from '../runtime/index.ts';

/** A transaction the pool refuses, with the code and texts of Substrate's author RPC. */
export class PoolError extends Error {
  readonly code: number;
  readonly data: string | null;

  constructor(code: number, message: string, data: string | null) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

const INVALID = 1010;
const UNKNOWN_VALIDITY = 1011;

const TEXTS: Readonly<Record<Invalidity, string>> = {
  Stale: 'Transaction is outdated',
  Future: 'Transaction will be valid in the future',
  BadProof: 'Transaction has a bad signature',
  AncientBirthBlock: 'Transaction has an ancient birth block',
  CannotLookup: 'Could not lookup information required to validate the transaction',
  NoUnsignedValidator: 'Could not find an unsigned validator for the unsigned transaction',
};

export function refused(why: Invalidity): PoolError {
  return why === 'CannotLookup' || why === 'NoUnsignedValidator'
    ? new PoolError(UNKNOWN_VALIDITY, 'Unknown Transaction Validity', TEXTS[why])
    : new PoolError(INVALID, 'Invalid Transaction', TEXTS[why]);
}

export const badFormat = (what: string): PoolError =>
  new PoolError(1001, `Extrinsic has invalid format: ${what}`, null);

export const alreadyImported = (hash: string): PoolError =>
  new PoolError(1013, 'Transaction is already imported', hash);

export const priorityTooLow = (old: bigint, asked: bigint): PoolError =>
  new PoolError(
    1014,
    `Priority is too low: (${old} vs ${asked})`,
    'The transaction has too low priority to replace another transaction already in the pool.',
  );

export const immediatelyDropped = (): PoolError =>
  new PoolError(1016, 'Immediately Dropped', "The transaction couldn't enter the pool because of the limit");
