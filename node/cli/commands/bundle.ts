import { writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { IntakeError, packBundle } from '../../intake/index.ts';
import type { CommandResult } from '../io.ts';

/** `bundle pack DIR`: the archive to upload and the content hash to commit. */
export async function bundlePackCommand(folder: string, output: string | undefined): Promise<CommandResult> {
  const packed = await packBundle(resolve(folder));
  const file = resolve(output ?? `${basename(resolve(folder))}.tar.gz`);
  try {
    writeFileSync(file, packed.archive);
  } catch (cause) {
    throw new IntakeError('PACK_REFUSED', (cause as NodeJS.ErrnoException).code, { field: 'output', cause });
  }
  const { contentHash, files } = packed;
  return {
    result: { file, content_hash: contentHash, files, bytes: packed.archive.length },
    text: `${file}: ${files} files, ${packed.archive.length} bytes\ncontent hash ${contentHash}`,
  };
}
