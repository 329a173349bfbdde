import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type AuditErrorCode = 'AUDIT_POLICY_INVALID' | 'AUDIT_FACTS_INVALID';

/** Errors of audits and of the token rule. */
export const AUDIT_ERRORS: ErrorTable<AuditErrorCode> = {
  AUDIT_POLICY_INVALID: {
    fault: 'operator',
    what: 'audit policy malformed',
    remedy: 'the closed audit_policy of the evaluation object',
  },
  AUDIT_FACTS_INVALID: {
    fault: 'peer',
    what: 'audit or reference facts contradict themselves',
    remedy: 'one row for every case or token, as the seed and the trajectory name them',
  },
};

export class AuditError extends CacheonError<AuditErrorCode> {
  constructor(code: AuditErrorCode, message?: string, details?: ErrorDetails) {
    super(code, AUDIT_ERRORS[code], message, details);
  }
}
