import { BundleError, type BundleErrorCode } from './errors.ts';
import { MAX_NAME_LENGTH } from './limits.ts';
import type { TomlRecord } from './toml.ts';

const IDENTIFIER = /^[0-9A-Za-z._-]+$/;
const ASCII_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A trimmed, non-empty string of a table; null where the key is absent. */
export function optionalText(table: TomlRecord, key: string, at: string, code: BundleErrorCode): string | null {
  if (!Object.hasOwn(table, key)) return null;
  const value = table[key];
  const field = `${at}${key}`;
  if (typeof value !== 'string') throw new BundleError(code, 'not a string', { field });
  const text = value.trim();
  if (text === '' || text.length > MAX_NAME_LENGTH * 4) throw new BundleError(code, 'empty or too long', { field });
  return text;
}

/** As {@link optionalText}, but the key must be there. */
export function requiredText(table: TomlRecord, key: string, at: string, code: BundleErrorCode): string {
  const text = optionalText(table, key, at, code);
  if (text === null) throw new BundleError(code, 'is missing', { field: `${at}${key}` });
  return text;
}

/** An identifier string: one or more of 0-9A-Za-z._- */
export function identifier(text: string, field: string, code: BundleErrorCode): string {
  if (text.length > MAX_NAME_LENGTH || !IDENTIFIER.test(text)) {
    throw new BundleError(code, 'letters, digits and ._- only', { field });
  }
  return text;
}

/** An ASCII identifier, as this ABI wants for entry and prepare. */
export function asciiName(text: string, field: string): string {
  if (text.length > MAX_NAME_LENGTH || !ASCII_NAME.test(text)) {
    throw new BundleError('OPS_ROW', 'not an ASCII identifier', { field });
  }
  return text;
}

/** An array of strings, none repeated, sorted. */
export function stringList(value: unknown, field: string): string[] {
  if (!Array.isArray(value) || value.some((v) => typeof v !== 'string')) {
    throw new BundleError('OPS_ROW', 'not an array of strings', { field });
  }
  return value as string[];
}
