import { writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { IntakeError, packBundle } from '../../intake/index.ts';
import { buildRows, checkBundle, readBundle } from '../../miner/index.ts';
import { type CommandResult, columns } from '../io.ts';

/** Milliseconds to read and compile a bundle. */
const CHECK_DEADLINE_MS = 300_000;

/** `bundle check DIR|ARCHIVE`: what a validator decides before anything of the bundle runs; exit 1 on a refusal. */
export async function bundleCheckCommand(path: string, build: boolean): Promise<CommandResult> {
  const signal = AbortSignal.timeout(CHECK_DEADLINE_MS);
  const checked = checkBundle(await readBundle(resolve(path), signal));
  const modules = build ? await buildRows(checked.rows, signal) : null;
  const lines = [
    ['target', checked.targetId],
    ['features', checked.features.join(', ')],
    ['content hash', checked.contentHash],
    ['selected payload', checked.selectedPayloadDigest],
    ['selected delta', checked.selectedDeltaDigest],
    ...(modules ?? []).map((row) => [`module ${row.slot} ${row.variant}`, `${row.bytes} bytes, sha256 ${row.sha256}`]),
  ];
  return {
    result: {
      target: checked.targetId,
      features: checked.features,
      files: checked.files,
      content_hash: checked.contentHash,
      selected_payload_digest: checked.selectedPayloadDigest,
      selected_delta_digest: checked.selectedDeltaDigest,
      modules,
    },
    text: columns(lines),
  };
}

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
