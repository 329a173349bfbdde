/** Reasons of a result (`names.md`). A PASS has none. */
export const FAIL_REASONS = [
  'bundle_refused',
  'build_failed',
  'audit_mismatch',
  'reference_mismatch',
  'too_slow',
  'deadline',
  'crashed',
] as const;
export const NO_DECISION_REASONS = ['bytes_unavailable', 'infrastructure', 'inconclusive'] as const;

export type FailReason = (typeof FAIL_REASONS)[number];
export type NoDecisionReason = (typeof NO_DECISION_REASONS)[number];

/** A verdict with its reason and, for PASS only, its settled speedup. */
export type Verdict =
  | { readonly result: 'PASS'; readonly reason: null; readonly speedup: string }
  | { readonly result: 'FAIL'; readonly reason: FailReason; readonly speedup: null }
  | { readonly result: 'NO_DECISION'; readonly reason: NoDecisionReason; readonly speedup: null };

/** True if the three values form a verdict; the speedup's value is checked elsewhere. */
export function isVerdict(result: unknown, reason: unknown, speedup: unknown): boolean {
  if (result === 'PASS') return reason === null && typeof speedup === 'string';
  if (speedup !== null) return false;
  if (result === 'FAIL') return (FAIL_REASONS as readonly unknown[]).includes(reason);
  return result === 'NO_DECISION' && (NO_DECISION_REASONS as readonly unknown[]).includes(reason);
}
