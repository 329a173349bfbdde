import { IntakeError } from '../errors.ts';

/** Records that change how the next member is read in ways only some readers follow. */
const REFUSED_KEY = /^(?:size|linkpath|charset|hdrcharset|GNU\.sparse.*)$/;

/**
 * Checks the records of a pax header, strictly: "LENGTH KEY=VALUE\n", each of exactly its length. Readers differ on
 * what they do with anything else.
 * @param isGlobal a global header may not set a path for all members after it
 */
export function checkPaxHeader(content: Uint8Array, isGlobal: boolean): void {
  const bytes = Buffer.from(content);
  let at = 0;
  while (at < bytes.length) {
    const space = bytes.indexOf(0x20, at);
    const digits = space < 0 ? '' : bytes.toString('latin1', at, space);
    if (!/^[1-9][0-9]{0,5}$/.test(digits)) malformed('the length of a pax record');
    const end = at + Number(digits);
    const equals = bytes.indexOf(0x3d, space);
    if (end > bytes.length || bytes[end - 1] !== 0x0a || equals <= space + 1 || equals >= end)
      malformed('a pax record');
    const key = bytes.toString('latin1', space + 1, equals);
    if (REFUSED_KEY.test(key) || (isGlobal && key === 'path')) malformed('a pax record that is not admitted');
    if (key === 'path') decodeName(bytes.subarray(equals + 1, end - 1));
    at = end;
  }
}

/** The text of a name, which must be UTF-8 without NUL. */
export function decodeName(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Falls through: refused like a NUL.
  }
  throw new IntakeError('ARCHIVE_PATH', 'a name that is not UTF-8');
}

function malformed(what: string): never {
  throw new IntakeError('ARCHIVE_MALFORMED', what);
}
