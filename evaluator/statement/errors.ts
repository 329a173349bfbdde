import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type StatementErrorCode =
  | 'STATEMENT_MALFORMED'
  | 'STATEMENT_TOO_LONG'
  | 'ENVELOPE_MALFORMED'
  | 'ENVELOPE_SIGNATURE';

/** Errors of statements and envelopes. */
export const STATEMENT_ERRORS: ErrorTable<StatementErrorCode> = {
  STATEMENT_MALFORMED: {
    fault: 'peer',
    what: 'not a qualification statement',
    remedy: 'canonical in-toto Statement v1 with the predicate of names.md',
  },
  STATEMENT_TOO_LONG: { fault: 'peer', what: 'statement too long', remedy: 'at most 16 KiB' },
  ENVELOPE_MALFORMED: {
    fault: 'peer',
    what: 'not a DSSE envelope',
    remedy: 'payload, payloadType application/vnd.in-toto+json and exactly one Ed25519 signature',
  },
  ENVELOPE_SIGNATURE: {
    fault: 'peer',
    what: 'envelope signature is wrong',
    remedy: "a signature over PAE by the node's Ed25519 key",
  },
};

export class StatementError extends CacheonError<StatementErrorCode> {
  constructor(code: StatementErrorCode, message?: string, details?: ErrorDetails) {
    super(code, STATEMENT_ERRORS[code], message, details);
  }
}
