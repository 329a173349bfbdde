import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';
import { checkFileList } from '../../evaluator/bundle/index.ts';
import { contentHash, hashedFiles, type TreeFile } from '../../evaluator/identity/index.ts';
import { extractArchive } from './archive/extract.ts';
import { IntakeError } from './errors.ts';
import { readBundleFolder } from './folder.ts';
import { ARCHIVE_MAX_BYTES } from './limits.ts';

/** What a miner uploads, and what it commits to. */
export interface PackedBundle {
  /** The .tar.gz; the same files always give the same bytes. */
  readonly archive: Uint8Array;
  readonly contentHash: string;
  readonly files: number;
}

/** One directory around everything, so that a bundle with a single folder is not taken for its own root. */
const ROOT = 'bundle';

/**
 * Packs a folder into the archive a validator would accept; what the content hash skips is left out.
 * @throws IntakeError PACK_REFUSED; BundleError for names and sizes that a bundle cannot have
 */
export async function packBundle(folder: string): Promise<PackedBundle> {
  return packFiles(readBundleFolder(folder));
}

/** As {@link packBundle}, from a list of files. */
export async function packFiles(list: readonly TreeFile[]): Promise<PackedBundle> {
  const files = hashedFiles(list);
  checkFileList(files);
  const tar = pack();
  const bytes = buffer(tar);
  for (const { path, data } of files) await addEntry(tar, path, data);
  tar.finalize();
  const archive = gzipSync(await bytes, { level: 9 });
  if (archive.length > ARCHIVE_MAX_BYTES) throw new IntakeError('PACK_REFUSED', 'the archive is over 64 MiB');
  // Read back like a validator does: a mistake here would cost the miner a commitment.
  const hash = contentHash(await extractArchive(archive, new AbortController().signal));
  if (hash !== contentHash(files)) throw new IntakeError('PACK_REFUSED', 'the archive does not read back');
  return { archive, contentHash: hash, files: files.length };
}

function addEntry(tar: Pack, path: string, data: Uint8Array): Promise<void> {
  const header = { name: `${ROOT}/${path}`, mode: 0o644, mtime: new Date(0), uid: 0, gid: 0 };
  return new Promise((resolve, reject) => {
    tar.entry(header, Buffer.from(data), (error) => (error ? reject(error) : resolve()));
  });
}
