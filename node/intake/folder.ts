import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSkippedPath, type TreeFile } from '../../evaluator/identity/index.ts';
import { IntakeError } from './errors.ts';
import { EXTRACTED_MAX_BYTES, FILE_MAX_BYTES, MEMBERS_MAX } from './limits.ts';

/**
 * The files of a bundle's folder; what the content hash skips is left out. Links and devices are refused, not followed.
 * @throws IntakeError PACK_REFUSED naming the path
 */
export function readBundleFolder(root: string): TreeFile[] {
  const files: TreeFile[] = [];
  let total = 0;
  const visit = (folder: string): void => {
    for (const entry of list(join(root, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (isSkippedPath(path)) continue;
      if (entry.isDirectory()) {
        visit(path);
        continue;
      }
      if (!entry.isFile()) refuse(path, 'not a regular file');
      const data = readRegular(join(root, path), path);
      files.push({ path, data });
      total += data.length;
      if (files.length > MEMBERS_MAX || total > EXTRACTED_MAX_BYTES) refuse(path, 'over the limits of a bundle');
    }
  };
  visit('');
  return files;
}

function list(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (cause) {
    throw new IntakeError('PACK_REFUSED', (cause as NodeJS.ErrnoException).code, { cause });
  }
}

function readRegular(path: string, field: string): Uint8Array {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) refuse(field, 'not a regular file');
    if (stat.size > FILE_MAX_BYTES) refuse(field, 'over 16 MiB');
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function refuse(field: string, why: string): never {
  throw new IntakeError('PACK_REFUSED', why, { field: field.slice(0, 200).replace(/[^\x20-\x7e]/g, '?') });
}
