import type { TreeFile } from '../identity/index.ts';
import { compareCodePoints } from '../identity/index.ts';
import { BundleError } from './errors.ts';
import { asciiName, identifier, optionalText, requiredText, stringList } from './fields.ts';
import { MAX_ROW_FILES } from './limits.ts';
import { logicalPath } from './paths.ts';
import type { TomlRecord } from './toml.ts';

/** One `ops` row of a WASM bundle. */
export interface OpsRow {
  readonly slot: string;
  readonly source: string;
  readonly entry: string;
  readonly variant: string;
  readonly variantStated: boolean;
  readonly prepare: string | null;
  readonly metadata: string | null;
  /** Every further file of the row, sorted, without repetition. */
  readonly wasmSources: readonly string[];
  /** Keys no rule knows; they become features that no target admits. */
  readonly extraKeys: readonly string[];
}

const KNOWN = new Set(['slot', 'source', 'entry', 'variant', 'prepare', 'metadata', 'wasm_sources']);
/** Fields of the Python ABI that this arena refuses by name (`wasm-arena.md` section 4). */
const REFUSED = new Set([
  'dtypes',
  'architectures',
  'setup',
  'base_kernel',
  'override_point',
  'cuda_sources',
  'aot_exports',
  'artifact_resources',
]);

/** Reads the `ops` rows; every file they name must be in the bundle. (`bundle-format.md` section 4) */
export function readOpsRows(tables: readonly TomlRecord[], files: readonly TreeFile[]): OpsRow[] {
  const paths = new Set(files.map((file) => file.path));
  const rows = tables.map((table, i) => readRow(table, `ops[${i}].`, paths));
  const seen = new Set<string>();
  for (const [i, row] of rows.entries()) {
    const repeated = rows.some((other, j) => j !== i && other.slot === row.slot);
    if (repeated && !row.variantStated) {
      throw new BundleError('OPS_ROW', 'must be stated where a slot has several rows', { field: `ops[${i}].variant` });
    }
    const key = `${row.slot}\0${row.variant}`;
    if (seen.has(key)) throw new BundleError('OPS_DUPLICATE', undefined, { field: `ops[${i}]` });
    seen.add(key);
  }
  return rows;
}

function readRow(table: TomlRecord, at: string, paths: ReadonlySet<string>): OpsRow {
  for (const key of Object.keys(table)) {
    if (REFUSED.has(key)) throw new BundleError('OPS_ROW', 'refused by this arena', { field: `${at}${key}` });
  }
  const source = existing(requiredText(table, 'source', at, 'OPS_ROW'), `${at}source`, paths);
  if (!source.endsWith('.ts')) throw new BundleError('OPS_ROW', 'must end in .ts', { field: `${at}source` });
  const prepare = optionalText(table, 'prepare', at, 'OPS_ROW');
  const metadata = optionalText(table, 'metadata', at, 'OPS_ROW');
  const variant = table['variant'];
  if (variant !== undefined && typeof variant !== 'string') {
    throw new BundleError('OPS_ROW', 'not a string', { field: `${at}variant` });
  }
  const entry = asciiName(requiredText(table, 'entry', at, 'OPS_ROW'), `${at}entry`);
  if (prepare === entry) throw new BundleError('OPS_ROW', 'same name as entry', { field: `${at}prepare` });
  return {
    slot: requiredText(table, 'slot', at, 'OPS_ROW'),
    source,
    entry,
    variant: identifier(variant?.trim() ?? 'default', `${at}variant`, 'OPS_ROW'),
    variantStated: variant !== undefined,
    prepare: prepare === null ? null : asciiName(prepare, `${at}prepare`),
    metadata: metadata === null ? null : existing(metadata, `${at}metadata`, paths),
    wasmSources: readSources(table, at, paths, source),
    extraKeys: Object.keys(table)
      .filter((key) => !KNOWN.has(key))
      .sort(compareCodePoints),
  };
}

function readSources(table: TomlRecord, at: string, paths: ReadonlySet<string>, source: string): string[] {
  if (!Object.hasOwn(table, 'wasm_sources')) return [];
  const field = `${at}wasm_sources`;
  const listed = stringList(table['wasm_sources'], field).map((path) => existing(path.trim(), field, paths));
  for (const path of listed) {
    if (!path.endsWith('.ts')) throw new BundleError('OPS_ROW', 'must end in .ts', { field });
    if (path === source) throw new BundleError('OPS_ROW', 'lists the source itself', { field });
  }
  const unique = [...new Set(listed)].sort(compareCodePoints);
  if (unique.length !== listed.length) throw new BundleError('OPS_ROW', 'the same file twice', { field });
  if (unique.length >= MAX_ROW_FILES) throw new BundleError('OPS_ROW', `over ${MAX_ROW_FILES} files`, { field });
  return unique;
}

function existing(value: string, field: string, paths: ReadonlySet<string>): string {
  const path = logicalPath(value, field);
  if (!paths.has(path)) throw new BundleError('OPS_ROW', 'names a file that the bundle does not have', { field });
  return path;
}
