import { readFileSync, statSync } from 'node:fs';
import { type ResolvedRow, resolveBundle } from '../../evaluator/bundle/index.ts';
import { wasmArenaCatalog } from '../../evaluator/catalog/index.ts';
import { contentHash, hashedFiles, type TreeFile } from '../../evaluator/identity/index.ts';
import { selectedDeltaDigest } from '../../evaluator/manifest/index.ts';
import { ARCHIVE_MAX_BYTES, extractArchive, readBundleFolder } from '../intake/index.ts';
import { MinerError } from './errors.ts';

/** A bundle that no rule of admission refuses, and what identifies it. */
export interface CheckedBundle {
  readonly targetId: string;
  readonly features: readonly string[];
  readonly contentHash: string;
  readonly selectedPayloadDigest: string;
  /** What competes; the same for everyone who proposes the same. */
  readonly selectedDeltaDigest: string;
  readonly rows: readonly ResolvedRow[];
  readonly files: number;
}

/**
 * The files of a bundle: a folder, or an archive opened as a validator opens it.
 * @throws MinerError BUNDLE_UNREADABLE, IntakeError PACK_REFUSED or ARCHIVE_*
 */
export async function readBundle(path: string, signal: AbortSignal): Promise<TreeFile[]> {
  let archive: Uint8Array;
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) return readBundleFolder(path);
    if (!stat.isFile() || stat.size > ARCHIVE_MAX_BYTES) throw new MinerError('BUNDLE_UNREADABLE');
    archive = readFileSync(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (cause instanceof Error && 'fault' in cause) throw cause;
    throw new MinerError('BUNDLE_UNREADABLE', code, { field: path, cause });
  }
  return extractArchive(archive, signal);
}

/**
 * Admits a bundle as the validators of the embedded WASM arena do: everything that is decided without running it.
 * @throws BundleError naming the field
 */
export function checkBundle(files: readonly TreeFile[]): CheckedBundle {
  const catalog = wasmArenaCatalog();
  const targets = catalog.targetIds.map((id) => catalog.find(id)).filter((target) => target !== null);
  const { target, features, payloadDigest, rows } = resolveBundle(files, targets);
  return {
    targetId: target.target_id,
    features,
    contentHash: contentHash(files),
    selectedPayloadDigest: payloadDigest,
    selectedDeltaDigest: selectedDeltaDigest({ ...target, selected_payload_digest: payloadDigest }),
    rows,
    files: hashedFiles(files).length,
  };
}
