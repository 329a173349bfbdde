import { FieldError, ObjectReader } from '../fields/index.ts';
import { canonicalBytes, IdentityError, parseSpeedup, parseStrictJson, sha256Hex } from '../identity/index.ts';
import { StatementError } from './errors.ts';
import { isVerdict, type Verdict } from './result.ts';

/** Bytes of a statement; a real one has about 1 KiB. */
export const STATEMENT_MAX_BYTES = 16 * 1024;
export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
export const PREDICATE_TYPE = 'urn:cacheon:qualification-result:v1';
/** Highest place: 32 members, two sides. */
const MAX_PLACE = 63;
const MAX_COHORT_INDEX = 2 ** 32 - 1;

/** The predicate of a result (`names.md`, Objects of a result). */
export type Predicate = {
  readonly schema_version: 1;
  readonly consensus_digest: string;
  readonly cohort_index: number;
  readonly place: number;
  readonly reservation_id: string;
  readonly attempt_digest: string;
  readonly selected_delta_digest: string | null;
  readonly binding_digest: string;
} & Verdict;

export interface Statement {
  /** SHA-256 of the evidence root's bytes. */
  readonly evidenceRoot: string;
  readonly predicate: Predicate;
}

const PREDICATE_KEYS = [
  'schema_version',
  'consensus_digest',
  'cohort_index',
  'place',
  'reservation_id',
  'attempt_digest',
  'result',
  'reason',
  'speedup',
  'selected_delta_digest',
  'binding_digest',
] as const;

/** The canonical bytes of an in-toto Statement v1 about an evidence root. */
export function statementBytes(statement: Statement): Uint8Array {
  return canonicalBytes({
    _type: STATEMENT_TYPE,
    subject: [{ name: 'evidence-root', digest: { sha256: statement.evidenceRoot } }],
    predicateType: PREDICATE_TYPE,
    predicate: statement.predicate,
  });
}

/** SHA-256 of the statement's bytes: what the hotkey anchors. */
export function receiptDigest(bytes: Uint8Array): string {
  return sha256Hex(bytes);
}

/**
 * Reads a statement strictly: closed, canonical, at most 16 KiB.
 * @throws StatementError STATEMENT_TOO_LONG or STATEMENT_MALFORMED
 */
export function parseStatement(bytes: Uint8Array): Statement {
  if (bytes.length > STATEMENT_MAX_BYTES) throw new StatementError('STATEMENT_TOO_LONG');
  try {
    const statement = readStatement(parseStrictJson(bytes, STATEMENT_MAX_BYTES));
    if (Buffer.compare(statementBytes(statement), bytes) === 0) return statement;
    throw new StatementError('STATEMENT_MALFORMED', 'bytes are not canonical');
  } catch (cause) {
    if (cause instanceof FieldError || cause instanceof IdentityError) {
      throw new StatementError('STATEMENT_MALFORMED', cause.message, { cause });
    }
    throw cause;
  }
}

function readStatement(value: unknown): Statement {
  const reader = new ObjectReader(value, 'statement', ['_type', 'subject', 'predicateType', 'predicate']);
  reader.literal('_type', STATEMENT_TYPE);
  reader.literal('predicateType', PREDICATE_TYPE);
  const subject = new ObjectReader(reader.array('subject', 1, 1)[0], 'subject[0]', ['name', 'digest']);
  subject.literal('name', 'evidence-root');
  const digest = new ObjectReader(subject.object('digest'), 'subject[0].digest', ['sha256']);
  return { evidenceRoot: digest.digest('sha256'), predicate: readPredicate(reader.raw('predicate')) };
}

function readPredicate(value: unknown): Predicate {
  const reader = new ObjectReader(value, 'predicate', PREDICATE_KEYS);
  const [result, reason, speedup] = [reader.raw('result'), reader.raw('reason'), reader.raw('speedup')];
  if (!isVerdict(result, reason, speedup)) reader.fail('FIELD_VALUE', 'result', 'no such result, reason and speedup');
  if (typeof speedup === 'string') parseSpeedup(speedup);
  return {
    schema_version: reader.literal('schema_version', 1),
    consensus_digest: reader.digest('consensus_digest'),
    cohort_index: reader.integer('cohort_index', 0, MAX_COHORT_INDEX),
    place: reader.integer('place', 0, MAX_PLACE),
    reservation_id: reader.digest('reservation_id'),
    attempt_digest: reader.digest('attempt_digest'),
    ...({ result, reason, speedup } as Verdict),
    selected_delta_digest: reader.raw('selected_delta_digest') === null ? null : reader.digest('selected_delta_digest'),
    binding_digest: reader.digest('binding_digest'),
  };
}
