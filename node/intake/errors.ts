import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type IntakeErrorCode =
  | 'URL_REFUSED'
  | 'ADDRESS_REFUSED'
  | 'DNS_FAILED'
  | 'FETCH_FAILED'
  | 'FETCH_STATUS'
  | 'FETCH_REDIRECTS'
  | 'FETCH_TOO_LARGE'
  | 'FETCH_DEADLINE'
  | 'FETCH_ABORTED'
  | 'ARCHIVE_GZIP'
  | 'ARCHIVE_MALFORMED'
  | 'ARCHIVE_MEMBER'
  | 'ARCHIVE_PATH'
  | 'ARCHIVE_LIMIT'
  | 'CONTENT_HASH_MISMATCH'
  | 'PACK_REFUSED'
  | 'EXTRA_CA_UNREADABLE';

/**
 * Everything a host or an archive can do wrong is `infrastructure`, the result's reason bytes_unavailable: another
 * fetch may give the right files, so nothing is proved against the candidate (`peer-protocol.md` section 9).
 */
export const INTAKE_ERRORS: ErrorTable<IntakeErrorCode> = {
  URL_REFUSED: {
    fault: 'infrastructure',
    what: 'the address of the archive cannot be used',
    remedy: 'an https URL without user name and password',
  },
  ADDRESS_REFUSED: {
    fault: 'infrastructure',
    what: 'the host has an address that is not public',
    remedy: 'serve the archive from a public address, with no private one in its DNS answer',
  },
  DNS_FAILED: { fault: 'infrastructure', what: 'the host name has no address', remedy: 'check the DNS entry' },
  FETCH_FAILED: {
    fault: 'infrastructure',
    what: 'the host did not serve the archive',
    remedy: 'check that it answers https with a valid certificate',
  },
  FETCH_STATUS: {
    fault: 'infrastructure',
    what: 'the host answered with another status than 200',
    remedy: 'serve the archive itself under its URL',
  },
  FETCH_REDIRECTS: {
    fault: 'infrastructure',
    what: 'too many redirects, or one that names no https URL',
    remedy: 'at most 5 redirects, each to https',
  },
  FETCH_TOO_LARGE: { fault: 'infrastructure', what: 'the archive is too large', remedy: 'at most 64 MiB' },
  FETCH_DEADLINE: {
    fault: 'infrastructure',
    what: 'the host was too slow',
    remedy: 'serve the archive without pauses, within the deadline',
  },
  FETCH_ABORTED: { fault: 'infrastructure', what: 'the fetch was given up', remedy: 'it is tried again' },
  ARCHIVE_GZIP: {
    fault: 'infrastructure',
    what: 'the archive is not one whole gzip stream',
    remedy: 'a .tar.gz file, nothing after it',
  },
  ARCHIVE_MALFORMED: {
    fault: 'infrastructure',
    what: 'the archive is not a well-formed tar file',
    remedy: 'make it with `cacheon-node bundle pack`',
  },
  ARCHIVE_MEMBER: {
    fault: 'infrastructure',
    what: 'the archive has a member that is neither a regular file nor a directory',
    remedy: 'no links, devices or other special files',
  },
  ARCHIVE_PATH: {
    fault: 'infrastructure',
    what: 'the archive has a path that is not admitted',
    remedy: 'relative, unique UTF-8 paths; no empty directories; nothing that the content hash skips',
  },
  ARCHIVE_LIMIT: {
    fault: 'infrastructure',
    what: 'the archive exceeds a limit',
    remedy: 'at most 4,096 members, 16 MiB a file, 256 MiB in all',
  },
  CONTENT_HASH_MISMATCH: {
    fault: 'infrastructure',
    what: 'the files are not those of the reservation',
    remedy: 'serve the very files whose content hash was committed',
  },
  PACK_REFUSED: {
    fault: 'candidate',
    what: 'the folder cannot be packed',
    remedy: 'regular files only, within the limits of a bundle',
  },
  EXTRA_CA_UNREADABLE: {
    fault: 'operator',
    what: 'the file of certificate authorities cannot be used',
    remedy: 'set fetch.extra_ca to a readable PEM file, or leave it out',
  },
};

/** Never carries a URL, which may hold credentials, nor bytes of the candidate. */
export class IntakeError extends CacheonError<IntakeErrorCode> {
  constructor(code: IntakeErrorCode, message?: string, details?: ErrorDetails) {
    super(code, INTAKE_ERRORS[code], message, details);
  }
}
