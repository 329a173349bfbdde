import { CacheonError } from '../../config/errors.ts';
import { parseStatement } from '../statement/index.ts';
import { EvidenceFiles, MissingBytes, openRoot } from './files.ts';

/**
 * SHA-256 of the blobs of a result that are not here: the evidence root first, then its files; at most 4,096. Empty if
 * every one is here, or if the statement or the root is malformed and nothing more can be wanted.
 */
export function wantedBlobs(statement: Uint8Array, blob: (sha256: string) => Uint8Array | null): readonly string[] {
  try {
    new EvidenceFiles(openRoot(parseStatement(statement).evidenceRoot, blob), blob);
    return [];
  } catch (error) {
    if (error instanceof MissingBytes) return error.blobs;
    if (error instanceof CacheonError && error.fault === 'peer') return [];
    throw error;
  }
}
