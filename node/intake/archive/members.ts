import { isSkippedPath, type TreeFile } from '../../../evaluator/identity/index.ts';
import { IntakeError } from '../errors.ts';
import { PATH_MAX_BYTES } from '../limits.ts';

/** The members of an archive as they come, and the list of files they make. (`bundle-format.md` section 2.) */
export class ArchiveMembers {
  readonly #files: TreeFile[] = [];
  readonly #paths = new Set<string>();
  readonly #directories = new Set<string>();

  /** @throws IntakeError ARCHIVE_PATH */
  addDirectory(name: string): void {
    const path = name.endsWith('/') ? name.slice(0, -1) : name;
    this.#claim(path);
    this.#directories.add(path);
  }

  /** @throws IntakeError ARCHIVE_PATH */
  addFile(path: string, data: Uint8Array): void {
    this.#claim(path);
    this.#files.push({ path, data });
  }

  /**
   * The files below the root: the only top-level directory if there is nothing beside it, else the archive itself.
   * @throws IntakeError ARCHIVE_PATH
   */
  files(): TreeFile[] {
    if (this.#files.length === 0) refuse('no files');
    const parents = new Set<string>();
    for (const { path } of this.#files) {
      for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
        parents.add(path.slice(0, slash));
      }
    }
    if (this.#files.some(({ path }) => parents.has(path))) refuse('a file that is also a directory');
    for (const directory of this.#directories) if (!parents.has(directory)) refuse('an empty directory');
    const top = new Set(this.#files.map(({ path }) => path.split('/')[0] as string));
    const [root = ''] = top;
    if (top.size > 1 || !parents.has(root)) return this.#files;
    return this.#files.map(({ path, data }) => ({ path: path.slice(root.length + 1), data }));
  }

  #claim(path: string): void {
    const odd = path.split('/').some((c) => c === '' || c === '.' || c === '..');
    if (odd || /[\\\u0000-\u001f\u007f]/.test(path)) refuse('not a plain relative path');
    if (Buffer.byteLength(path) > PATH_MAX_BYTES) refuse(`over ${PATH_MAX_BYTES} bytes`);
    if (isSkippedPath(path)) refuse('something that the content hash skips');
    if (this.#paths.has(path)) refuse('the same path twice');
    this.#paths.add(path);
  }
}

function refuse(why: string): never {
  throw new IntakeError('ARCHIVE_PATH', why);
}
