import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type EvidenceErrorCode = 'ROOT_MALFORMED' | 'EVIDENCE_BOUNDS' | 'EVIDENCE_NAME' | 'FILE_MALFORMED';

/** Errors of evidence bundles: all of them are the fault of whoever made the evidence. */
export const EVIDENCE_ERRORS: ErrorTable<EvidenceErrorCode> = {
  ROOT_MALFORMED: {
    fault: 'peer',
    what: 'evidence root malformed',
    remedy: 'a canonical list of {name, sha256, size, media_type}, sorted by name',
  },
  EVIDENCE_BOUNDS: { fault: 'peer', what: 'evidence over its bounds', remedy: 'at most 4,096 entries and 16 MiB' },
  EVIDENCE_NAME: { fault: 'peer', what: 'no such evidence file', remedy: 'the names of names.md' },
  FILE_MALFORMED: { fault: 'peer', what: 'evidence file malformed', remedy: 'canonical JSON of its closed schema' },
};

export class EvidenceError extends CacheonError<EvidenceErrorCode> {
  constructor(code: EvidenceErrorCode, message?: string, details?: ErrorDetails) {
    super(code, EVIDENCE_ERRORS[code], message, details);
  }
}
