import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type IdentityErrorCode =
  | 'JSON_MALFORMED'
  | 'JSON_DUPLICATE_KEY'
  | 'JSON_FLOAT'
  | 'JSON_TOO_DEEP'
  | 'JSON_TOO_LONG'
  | 'JSON_INTEGER_TOO_LONG'
  | 'JSON_SURROGATE'
  | 'JSON_UTF8'
  | 'VALUE_NOT_CANONICAL'
  | 'DOMAIN_GRAMMAR'
  | 'SCHEMA_VERSION'
  | 'TREE_EMPTY'
  | 'TREE_SYMLINK'
  | 'TREE_PATH';

/** Errors of canonical identity. The fault is that of whoever supplied the bytes; callers override it. */
export const IDENTITY_ERRORS: ErrorTable<IdentityErrorCode> = {
  JSON_MALFORMED: { fault: 'peer', what: 'malformed JSON', remedy: 'one JSON value, RFC 8259, nothing after it' },
  JSON_DUPLICATE_KEY: { fault: 'peer', what: 'duplicate object key', remedy: 'every key once, after unescaping' },
  JSON_FLOAT: { fault: 'peer', what: 'a number with a fraction or an exponent', remedy: 'exact integers only' },
  JSON_TOO_DEEP: { fault: 'peer', what: 'nesting too deep', remedy: 'at most 1,024 levels' },
  JSON_TOO_LONG: { fault: 'peer', what: 'JSON text too long', remedy: 'at most 8 MiB of UTF-8' },
  JSON_INTEGER_TOO_LONG: { fault: 'peer', what: 'integer too long', remedy: 'at most 4,300 decimal digits' },
  JSON_SURROGATE: { fault: 'peer', what: 'lone surrogate in a string', remedy: 'text that UTF-8 can encode' },
  JSON_UTF8: { fault: 'peer', what: 'bytes are not UTF-8', remedy: 'UTF-8 without a byte order mark' },
  VALUE_NOT_CANONICAL: {
    fault: 'peer',
    what: 'a value that canonical JSON cannot carry',
    remedy: 'null, booleans, strings, exact integers, arrays and objects of them',
  },
  DOMAIN_GRAMMAR: { fault: 'peer', what: 'digest domain is malformed', remedy: '[a-z0-9][a-z0-9._-]*' },
  SCHEMA_VERSION: { fault: 'peer', what: 'schema_version is not a positive integer', remedy: 'an integer >= 1' },
  TREE_EMPTY: { fault: 'candidate', what: 'no files to hash', remedy: 'at least one regular file' },
  TREE_SYMLINK: { fault: 'candidate', what: 'symbolic link in the tree', remedy: 'regular files only' },
  TREE_PATH: { fault: 'candidate', what: 'path cannot be hashed', remedy: 'a relative POSIX path in UTF-8' },
};

export class IdentityError extends CacheonError<IdentityErrorCode> {
  constructor(code: IdentityErrorCode, message?: string, details?: ErrorDetails) {
    super(code, IDENTITY_ERRORS[code], message, details);
  }
}
