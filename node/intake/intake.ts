import { lookup } from 'node:dns/promises';
import { contentHash, type TreeFile } from '../../evaluator/identity/index.ts';
import { extractArchive } from './archive/extract.ts';
import { IntakeError } from './errors.ts';
import { type FetchDependencies, type FetchOptions, fetchArchive } from './fetch.ts';

/** The archive a reservation names. */
export interface IntakeRequest {
  readonly url: string;
  /** 64 hex digits (`protocol.md` section 9). */
  readonly contentHash: string;
}

/** Looks names up in the system's resolver. */
export const systemLookup: FetchDependencies = { lookup: (hostname) => lookup(hostname, { all: true }) };

/**
 * Fetches a reservation's archive and unpacks it in memory into the very files whose content hash was committed.
 *
 * Every failure here is the host's, the transport's or the archive's: NO_DECISION with reason bytes_unavailable. The
 * rules that can FAIL a candidate are for its list of files (`evaluator/bundle`), and they need that list, so it is
 * returned whenever the content hash is right.
 * @throws IntakeError
 */
export async function intakeBundle(
  request: IntakeRequest,
  options: FetchOptions,
  dependencies: FetchDependencies,
  signal: AbortSignal,
): Promise<TreeFile[]> {
  const archive = await fetchArchive(request.url, options, dependencies, signal);
  const files = await extractArchive(archive, signal);
  if (contentHash(files) !== request.contentHash) throw new IntakeError('CONTENT_HASH_MISMATCH');
  return files;
}
