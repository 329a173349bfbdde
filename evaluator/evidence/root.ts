import { ObjectReader } from '../fields/index.ts';
import { canonicalBytes, compareCodePoints, sha256Hex } from '../identity/index.ts';
import { EvidenceError } from './errors.ts';
import { EVIDENCE_MAX_BYTES, EVIDENCE_MAX_ENTRIES, ROOT_MAX_BYTES } from './limits.ts';
import { mediaTypeOf } from './names.ts';
import { readCanonical } from './read.ts';

/** One file of a result, ready to be stored. */
export interface EvidenceFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

export interface RootEntry {
  readonly name: string;
  readonly sha256: string;
  readonly size: number;
  readonly media_type: string;
}

/**
 * The canonical bytes of the evidence root over some files, in any order.
 * @throws EvidenceError EVIDENCE_BOUNDS or EVIDENCE_NAME
 */
export function evidenceRoot(files: readonly EvidenceFile[]): Uint8Array {
  const entries = files.map(
    (file): RootEntry => ({
      name: file.name,
      sha256: sha256Hex(file.bytes),
      size: file.bytes.length,
      media_type: file.mediaType,
    }),
  );
  entries.sort((a, b) => compareCodePoints(a.name, b.name));
  checkEntries(entries);
  return canonicalBytes(entries);
}

/**
 * Reads an evidence root strictly.
 * @throws EvidenceError, or the errors of a closed object
 */
export function parseEvidenceRoot(bytes: Uint8Array): readonly RootEntry[] {
  const rows = readCanonical(bytes, 'root', ROOT_MAX_BYTES);
  if (!Array.isArray(rows)) throw new EvidenceError('ROOT_MALFORMED', 'not a list');
  if (rows.length > EVIDENCE_MAX_ENTRIES) throw new EvidenceError('EVIDENCE_BOUNDS', 'too many entries');
  const entries = rows.map((row, i): RootEntry => {
    const reader = new ObjectReader(row, `root[${i}]`, ['name', 'sha256', 'size', 'media_type']);
    return {
      name: reader.text('name', /^[\x21-\x7e]{1,64}$/),
      sha256: reader.digest('sha256'),
      size: reader.integer('size', 0, EVIDENCE_MAX_BYTES),
      media_type: reader.text('media_type', /^[\x21-\x7e]{1,64}$/),
    };
  });
  checkEntries(entries);
  return entries;
}

function checkEntries(entries: readonly RootEntry[]): void {
  if (entries.length > EVIDENCE_MAX_ENTRIES) throw new EvidenceError('EVIDENCE_BOUNDS', 'too many entries');
  let total = 0;
  entries.forEach((entry, i) => {
    const field = entry.name;
    const mediaType = mediaTypeOf(entry.name);
    if (mediaType === null) throw new EvidenceError('EVIDENCE_NAME', undefined, { field });
    if (mediaType !== entry.media_type) throw new EvidenceError('ROOT_MALFORMED', 'another media type', { field });
    const before = entries[i - 1];
    if (before !== undefined && compareCodePoints(before.name, entry.name) >= 0) {
      throw new EvidenceError('ROOT_MALFORMED', 'not sorted, or a name twice', { field });
    }
    total += entry.size;
  });
  if (total > EVIDENCE_MAX_BYTES) throw new EvidenceError('EVIDENCE_BOUNDS', 'too many bytes');
}
