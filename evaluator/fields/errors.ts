import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type FieldErrorCode =
  | 'FIELD_NOT_OBJECT'
  | 'FIELD_MISSING'
  | 'FIELD_UNKNOWN'
  | 'FIELD_DIGEST'
  | 'FIELD_ZERO_DIGEST'
  | 'FIELD_INTEGER'
  | 'FIELD_TEXT'
  | 'FIELD_VALUE'
  | 'FIELD_ARRAY'
  | 'FIELD_ORDER';

/** Errors of a closed object's fields. The fault is that of whoever supplied the object; callers override it. */
export const FIELD_ERRORS: ErrorTable<FieldErrorCode> = {
  FIELD_NOT_OBJECT: { fault: 'peer', what: 'not a JSON object', remedy: 'an object with exactly the listed keys' },
  FIELD_MISSING: { fault: 'peer', what: 'a required field is missing', remedy: 'exactly the listed keys' },
  FIELD_UNKNOWN: { fault: 'peer', what: 'unknown field', remedy: 'exactly the listed keys' },
  FIELD_DIGEST: { fault: 'peer', what: 'not a digest', remedy: '64 lowercase hex digits' },
  FIELD_ZERO_DIGEST: { fault: 'peer', what: 'the all-zero digest', remedy: 'the digest of a real object' },
  FIELD_INTEGER: { fault: 'peer', what: 'not an integer in range', remedy: 'an exact integer within the bounds' },
  FIELD_TEXT: { fault: 'peer', what: 'text outside its grammar', remedy: 'text that matches the grammar' },
  FIELD_VALUE: { fault: 'peer', what: 'not the one value allowed here', remedy: 'the value the schema fixes' },
  FIELD_ARRAY: { fault: 'peer', what: 'not an array of the required shape', remedy: 'an array within the bounds' },
  FIELD_ORDER: { fault: 'peer', what: 'not strictly ascending', remedy: 'sorted by code point, each item once' },
};

export class FieldError extends CacheonError<FieldErrorCode> {
  constructor(code: FieldErrorCode, message?: string, details?: ErrorDetails) {
    super(code, FIELD_ERRORS[code], message, details);
  }
}
