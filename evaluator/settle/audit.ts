import { isSortedSet, ObjectReader } from '../fields/index.ts';
import { canonicalDigest } from '../identity/index.ts';
import { AUDIT_MAX_CALLS, AUDIT_MAX_MEMBERS, AUDIT_MAX_RATE_PPM, DOMAIN, IDENTIFIER } from './constants.ts';

/** What an audit must cover (`protocol.md` section 7); the same for both passes. */
export interface AuditControl {
  readonly expected_member_count: number;
  readonly expected_slots: readonly string[];
  readonly minimum_calls: number;
  readonly sample_rate_ppm: number;
}

/** A control with one validator's sampling seed, 32 hex digits. */
export interface AuditPolicy extends AuditControl {
  readonly validator_seed: string;
}

/**
 * Parses a closed audit policy.
 * @throws FieldError
 */
export function parseAuditPolicy(value: unknown, at: string): AuditPolicy {
  const reader = new ObjectReader(value, at, [
    'expected_member_count',
    'expected_slots',
    'minimum_calls',
    'sample_rate_ppm',
    'validator_seed',
  ]);
  const slots = reader.texts('expected_slots', IDENTIFIER, 1);
  if (!isSortedSet(slots)) reader.fail('FIELD_ORDER', 'expected_slots');
  return {
    expected_member_count: reader.integer('expected_member_count', 1, AUDIT_MAX_MEMBERS),
    expected_slots: slots,
    minimum_calls: reader.integer('minimum_calls', 1, AUDIT_MAX_CALLS),
    sample_rate_ppm: reader.integer('sample_rate_ppm', 1, AUDIT_MAX_RATE_PPM),
    validator_seed: reader.text('validator_seed', /^[0-9a-f]{32}$/),
  };
}

/** Digest of the control part: what two validators' audits have in common. */
export function auditControlDigest(policy: AuditControl): string {
  const { expected_member_count, expected_slots, minimum_calls, sample_rate_ppm } = policy;
  return canonicalDigest(DOMAIN.auditControl, {
    expected_member_count,
    expected_slots,
    minimum_calls,
    sample_rate_ppm,
  });
}
