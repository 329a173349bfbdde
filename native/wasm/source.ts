import { WasmError } from './errors.ts';
import { PATH_MAX_CHARS, SOURCE_MAX_BYTES, SOURCE_MAX_FILES } from './limits.ts';

/** A source file by its bundle path. */
export interface SourceFile {
  readonly path: string;
  readonly data: Uint8Array;
}

/** Names as publication admits them (`bundle-format.md` section 2), so no option, no library and no parent folder. */
const COMPONENT = /^[A-Za-z0-9][A-Za-z0-9._+@=,\-[\] ]{0,254}$/;

function checkPath(path: string, field: string): void {
  const fine = path.length <= PATH_MAX_CHARS && path.endsWith('.ts') && path.split('/').every((c) => COMPONENT.test(c));
  if (!fine) throw new WasmError('SOURCE_REFUSED', 'not a path of a .ts file', { field });
}

function checkText(data: Uint8Array, field: string): void {
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch (cause) {
    throw new WasmError('SOURCE_REFUSED', 'not UTF-8', { field, cause });
  }
}

/**
 * Bounds what the compiler is given: number, size, paths and encoding of the files, the entry file among them.
 * @throws WasmError SOURCE_REFUSED
 */
export function checkSource(entry: string, files: readonly SourceFile[]): void {
  if (files.length > SOURCE_MAX_FILES) throw new WasmError('SOURCE_REFUSED', `over ${SOURCE_MAX_FILES} files`);
  const total = files.reduce((sum, { data }) => sum + data.length, 0);
  if (total > SOURCE_MAX_BYTES) throw new WasmError('SOURCE_REFUSED', `over ${SOURCE_MAX_BYTES} bytes together`);
  files.forEach(({ path, data }, index) => {
    checkPath(path, `files[${index}]`);
    checkText(data, `files[${index}]`);
  });
  const paths = new Set(files.map(({ path }) => path));
  if (paths.size !== files.length) throw new WasmError('SOURCE_REFUSED', 'a path is listed twice');
  if (!paths.has(entry)) throw new WasmError('SOURCE_REFUSED', 'entry file is not listed', { field: 'source' });
}
