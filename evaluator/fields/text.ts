import { compareCodePoints } from '../identity/index.ts';

/** Identifiers of targets, rules and binding families (`protocol.md` sections 3 and 5). */
export const TARGET_ID = /^[0-9A-Za-z._-]+$/;

/** What the reference counts as white space (it differs from `trim`: U+001C..1F and U+0085 count, U+FEFF does not). */
const SPACE = '[\\t-\\r\\u001c-\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const SURROUNDED = new RegExp(`^${SPACE}|${SPACE}$`, 'u');
const ANY_SPACE = new RegExp(SPACE, 'u');

/** Longest name of a person or key, in code points. */
export const NAME_MAX_LENGTH = 256;

/** 1 to 256 code points, no surrounding white space, no NUL, CR or LF (a reviewer; `protocol.md` section 3). */
export function isTrimmedName(value: unknown): value is string {
  return isBoundedText(value) && !SURROUNDED.test(value) && !/[\0\r\n]/.test(value);
}

/** 1 to 256 code points without white space (a hotkey; `protocol.md` section 13). */
export function isSpacelessName(value: unknown): value is string {
  return isBoundedText(value) && !ANY_SPACE.test(value);
}

function isBoundedText(value: unknown): value is string {
  if (typeof value !== 'string' || value.length === 0 || value.length > 2 * NAME_MAX_LENGTH) return false;
  return Array.from(value).length <= NAME_MAX_LENGTH;
}

/** The items once each, by code point. */
export function sortedSet(items: Iterable<string>): string[] {
  return [...new Set(items)].sort(compareCodePoints);
}

/** True if the items are strictly ascending by code point. */
export function isSortedSet(items: readonly string[]): boolean {
  return items.every((item, i) => i === 0 || compareCodePoints(items[i - 1] as string, item) < 0);
}
