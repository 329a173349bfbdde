import { parse } from 'smol-toml';
import type { TreeFile } from '../identity/index.ts';
import { BundleError } from './errors.ts';

export type TomlRecord = Readonly<Record<string, unknown>>;

/** Reads `manifest.toml` of a bundle as TOML 1.0: UTF-8, no BOM (`bundle-format.md` section 3). */
export function readManifestToml(files: readonly TreeFile[]): TomlRecord {
  const file = files.find((f) => f.path === 'manifest.toml');
  if (file === undefined) throw new BundleError('MANIFEST_MISSING');
  const text = decodeText(file.data);
  if (text === null) throw new BundleError('MANIFEST_TOML', 'not UTF-8, or begins with a byte order mark');
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' }) as TomlRecord;
  } catch (cause) {
    const where = cause as { line?: number; column?: number };
    const at = where.line === undefined ? '' : ` at line ${where.line}, column ${where.column}`;
    throw new BundleError('MANIFEST_TOML', `not TOML 1.0${at}`, { field: 'manifest.toml' });
  }
}

/** UTF-8 text without a byte order mark, or null. */
export function decodeText(data: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
    return text.startsWith('\uFEFF') ? null : text;
  } catch {
    return null;
  }
}

/** True for a TOML table: not an array, date or scalar. */
export function isTable(value: unknown): value is TomlRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
