import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

export interface CompilerPackages {
  /** Names and versions of what compiles, part of every module's identity. */
  readonly version: string;
  /** URL of the compiler's programmatic interface. */
  readonly entry: string;
  /** Folders of the compiler and of the packages that it needs. */
  readonly folders: readonly string[];
}

const PACKAGE = z.object({ version: z.string() });

/** The installed compiler. @throws if it is not installed; run `npm ci` */
export function compilerPackages(): CompilerPackages {
  const own = createRequire(import.meta.url);
  const manifest = realpathSync(own.resolve('assemblyscript/package.json'));
  const compiler = dirname(manifest);
  const theirs = createRequire(manifest);
  const binaryen = dirname(realpathSync(theirs.resolve('binaryen')));
  // `long` resolves to a file one folder below its package.
  const long = dirname(dirname(realpathSync(theirs.resolve('long'))));
  const versionOf = (folder: string) =>
    PACKAGE.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).version;
  return {
    version: `assemblyscript ${versionOf(compiler)}, binaryen ${versionOf(binaryen)}`,
    entry: pathToFileURL(join(compiler, 'dist/asc.js')).href,
    folders: [compiler, binaryen, long],
  };
}
