import { BundleError } from './errors.ts';
import { identifier, requiredText } from './fields.ts';
import { MAX_OPS_ROWS } from './limits.ts';
import { isTable, type TomlRecord } from './toml.ts';

export const WASM_ABI = 'cacheon-wasm-abi-v1';

/** What the bundle claims to compete for; checked against the slots it really has. */
export interface Competition {
  readonly target: string;
  readonly mode: 'slot' | 'atomic' | 'system';
}

export interface ManifestHead {
  readonly bundleId: string;
  readonly abiVersion: string;
  readonly competition: Competition | null;
  readonly ops: readonly TomlRecord[];
}

/**
 * Reads the top level of manifest.toml for the WASM arena. Unknown top-level keys are ignored, as the format says;
 * `competition` is closed. (`bundle-format.md` section 3, `wasm-arena.md` section 4)
 */
export function readManifestHead(toml: TomlRecord): ManifestHead {
  const bundleId = identifier(requiredText(toml, 'bundle_id', '', 'MANIFEST_FIELD'), 'bundle_id', 'MANIFEST_FIELD');
  const abiVersion = requiredText(toml, 'abi_version', '', 'MANIFEST_FIELD');
  if (abiVersion !== WASM_ABI) throw new BundleError('MANIFEST_ABI', undefined, { field: 'abi_version' });
  if (Object.hasOwn(toml, 'dep_patches')) {
    throw new BundleError('MANIFEST_FIELD', 'this arena has no dependency patches', { field: 'dep_patches' });
  }
  const ops = toml['ops'];
  if (!Array.isArray(ops) || ops.length === 0 || !ops.every(isTable)) {
    throw new BundleError('MANIFEST_FIELD', 'at least one [[ops]] table is needed', { field: 'ops' });
  }
  if (ops.length > MAX_OPS_ROWS) {
    throw new BundleError('MANIFEST_FIELD', `more than ${MAX_OPS_ROWS} rows`, { field: 'ops' });
  }
  return { bundleId, abiVersion, competition: readCompetition(toml), ops };
}

function readCompetition(toml: TomlRecord): Competition | null {
  if (!Object.hasOwn(toml, 'competition')) return null;
  const table = toml['competition'];
  if (!isTable(table)) throw new BundleError('MANIFEST_FIELD', 'not a table', { field: 'competition' });
  for (const key of Object.keys(table)) {
    if (key !== 'target' && key !== 'mode') {
      throw new BundleError('MANIFEST_FIELD', 'unknown field', { field: `competition.${key}` });
    }
  }
  const target = requiredText(table, 'target', 'competition.', 'MANIFEST_FIELD');
  const mode = requiredText(table, 'mode', 'competition.', 'MANIFEST_FIELD');
  if (mode !== 'slot' && mode !== 'atomic' && mode !== 'system') {
    throw new BundleError('MANIFEST_FIELD', 'slot or atomic', { field: 'competition.mode' });
  }
  return { target: identifier(target, 'competition.target', 'MANIFEST_FIELD'), mode };
}
