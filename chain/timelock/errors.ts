import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type TimelockErrorCode =
  | 'CIPHERTEXT_SIZE'
  | 'CIPHERTEXT_MALFORMED'
  | 'CIPHERTEXT_REJECTED'
  | 'PLAINTEXT_SIZE'
  | 'ROUND_RANGE'
  | 'POINT_INVALID'
  | 'SECRET_KEY_RANGE'
  | 'TIME_RANGE';

/** Errors of timelock encryption. A ciphertext on the chain is the miner's; keys and rounds are ours. */
export const TIMELOCK_ERRORS: ErrorTable<TimelockErrorCode> = {
  CIPHERTEXT_SIZE: {
    fault: 'candidate',
    what: 'timelock ciphertext has an impossible size',
    remedy: '244 to 5,000 bytes',
  },
  CIPHERTEXT_MALFORMED: {
    fault: 'candidate',
    what: 'timelock ciphertext does not parse',
    remedy: 'an ark-compressed TLECiphertext<TinyBLS381>, not wrapped in UserData',
  },
  CIPHERTEXT_REJECTED: {
    fault: 'candidate',
    what: 'timelock ciphertext does not open with this signature',
    remedy: 'a ciphertext for the round of the signature, unchanged',
  },
  PLAINTEXT_SIZE: {
    fault: 'operator',
    what: 'plaintext too long to timelock',
    remedy: 'at most 4,756 bytes, 780 for a commitment',
  },
  ROUND_RANGE: { fault: 'operator', what: 'pulse round out of range', remedy: 'an integer from 0 to 2^64 - 1' },
  POINT_INVALID: {
    fault: 'infrastructure',
    what: 'not a point of the right subgroup',
    remedy: 'a compressed point, never zero: 48 bytes of G1 for a signature, 96 bytes of G2 for a public key',
  },
  SECRET_KEY_RANGE: {
    fault: 'operator',
    what: 'pulse secret key out of range',
    remedy: '32 big-endian bytes, a scalar from 1 to r - 1',
  },
  TIME_RANGE: {
    fault: 'operator',
    what: 'time before the first pulse, or a malformed beacon schedule',
    remedy: 'finite unix seconds at or after genesis, a period above 0',
  },
};

export class TimelockError extends CacheonError<TimelockErrorCode> {
  constructor(code: TimelockErrorCode, message?: string, details?: ErrorDetails) {
    super(code, TIMELOCK_ERRORS[code], message, details);
  }
}
