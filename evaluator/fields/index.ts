export { FIELD_ERRORS, FieldError, type FieldErrorCode } from './errors.ts';
export { type Integer, isObject, ObjectReader, requireDigest } from './object.ts';
export { isSortedSet, isSpacelessName, isTrimmedName, NAME_MAX_LENGTH, sortedSet, TARGET_ID } from './text.ts';
