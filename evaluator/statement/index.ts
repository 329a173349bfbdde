export {
  ENVELOPE_MAX_BYTES,
  type Envelope,
  PAYLOAD_TYPE,
  parseEnvelope,
  preAuthEncoding,
  signEnvelope,
  verifyEnvelope,
} from './envelope.ts';
export { STATEMENT_ERRORS, StatementError, type StatementErrorCode } from './errors.ts';
export { ed25519PublicKey, rawPublicKey } from './keys.ts';
export { FAIL_REASONS, type FailReason, NO_DECISION_REASONS, type NoDecisionReason, type Verdict } from './result.ts';
export {
  PREDICATE_TYPE,
  type Predicate,
  parseStatement,
  receiptDigest,
  STATEMENT_MAX_BYTES,
  type Statement,
  statementBytes,
} from './statement.ts';
