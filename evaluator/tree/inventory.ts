import { MATERIALIZER_POLICY_VERSION } from '../bundle/index.ts';
import { canonicalDigest, compareCodePoints, FILE_MODE, sha256Hex, type TreeFile } from '../identity/index.ts';
import { TreeError } from './errors.ts';

/** One emitted file as the tree digest names it. */
export interface TreeRow {
  readonly mode: number;
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
}

/** Rows of emitted files, by whole path string: the one order of this project, at emission and at reopening. */
export function treeRows(files: readonly TreeFile[]): TreeRow[] {
  const rows = files
    .map((file) => ({ mode: FILE_MODE, path: file.path, sha256: sha256Hex(file.data), size: file.data.length }))
    .sort((a, b) => compareCodePoints(a.path, b.path));
  rows.forEach((row, i) => {
    if (rows[i + 1]?.path === row.path) throw new TreeError('TREE_COLLISION', undefined, { field: row.path });
  });
  return rows;
}

/** Logical digest of a materialized tree (`protocol.md` section 11). */
export function treeDigest(files: readonly TreeFile[]): string {
  return canonicalDigest('cacheon.materialized-engine-tree', {
    files: treeRows(files),
    materializer_policy_version: MATERIALIZER_POLICY_VERSION,
  });
}
