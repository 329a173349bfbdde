import type { TreeFile } from '../identity/index.ts';
import { BundleError } from './errors.ts';
import { MAX_WASM_SOURCE_BYTES } from './limits.ts';
import type { OpsRow } from './ops.ts';
import { decodeText } from './toml.ts';

const ALWAYS_REFUSED = /\.(?:so|o|a|dylib|bin|pyc)$/;
const NAMED = new Set(['manifest.toml', '.gitignore']);

/**
 * The screen over the whole file list (`bundle-format.md` section 11, `wasm-arena.md` section 4): declared sources,
 * the manifest, prose and metadata; everything else is refused, whether something reaches it or not.
 */
export function screenFiles(files: readonly TreeFile[], rows: readonly OpsRow[]): void {
  const declared = new Set(rows.flatMap((row) => [row.source, ...row.wasmSources]));
  let sourceBytes = 0;
  for (const file of files) {
    if (!isAllowed(file.path, declared)) throw new BundleError('BUNDLE_FILE_REFUSED', undefined, { field: file.path });
    if (!declared.has(file.path)) continue;
    if (decodeText(file.data) === null) {
      throw new BundleError('BUNDLE_FILE_REFUSED', 'source is not UTF-8', { field: file.path });
    }
    sourceBytes += file.data.length;
  }
  if (sourceBytes > MAX_WASM_SOURCE_BYTES) {
    throw new BundleError('BUNDLE_TOO_LARGE', `more than ${MAX_WASM_SOURCE_BYTES} bytes of source`);
  }
}

function isAllowed(path: string, declared: ReadonlySet<string>): boolean {
  if (ALWAYS_REFUSED.test(path)) return false;
  if (declared.has(path)) return true;
  const components = path.split('/');
  const name = components.at(-1) as string;
  if (name.endsWith('.ts')) return false;
  if (NAMED.has(name) || name.startsWith('README') || name.startsWith('LICENSE')) return true;
  return name.endsWith('.json') && components.slice(0, -1).includes('metadata');
}
