import { SpeedError } from './errors.ts';
import type { ResidentPolicy } from './resident-policy.ts';

/** One read: timed windows of [tokens, seconds], and the conditioning before them. */
export interface ResidentRead {
  readonly windows: readonly (readonly [number, number])[];
  readonly conditioning_tokens: number;
  readonly conditioning_seconds: number;
}

export interface ResidentReads {
  readonly B: ResidentRead;
  readonly C: ResidentRead;
  /** Left out if it was not taken. */
  readonly B_prime?: ResidentRead;
}

export interface ResidentVerdict {
  readonly decision: 'PASS' | 'FAIL';
  readonly speedup: number;
  /** The ratio that was required. */
  readonly required: number;
  /** Relative difference of the baselines; infinite if it was over max_noise, so that B_prime was dropped. */
  readonly noise: number;
  /** Bounds of v7's band after B and C; null under v8. */
  readonly precheck: { readonly failBelow: number; readonly passAt: number } | null;
  readonly reads: 2 | 3;
}

/** Windows any read must have, whatever the policy says. */
const LEAST_WINDOWS = 3;

/**
 * Grades reads under v7 (B_prime only where it could change the answer) or v8 (always B, C, B_prime), with the
 * reference's arithmetic in doubles (`protocol.md` section 12; its weak points are pinned there, section 15).
 * @throws SpeedError READS_INVALID for malformed, missing or superfluous reads
 */
export function gradeResident(policy: ResidentPolicy, reads: ResidentReads): ResidentVerdict {
  const b = medianRate(policy, reads.B, 'B');
  const c = medianRate(policy, reads.C, 'C');
  const prime = reads.B_prime === undefined ? null : medianRate(policy, reads.B_prime, 'B_prime');
  const regressed = conditioningRegressed(policy, reads.B, reads.C);
  if (policy.version === 8) {
    if (prime === null) throw new SpeedError('READS_INVALID', 'v8 always reads B_prime', { field: 'B_prime' });
    const verdict = conclude(policy, b, c, prime);
    return { ...verdict, decision: regressed ? 'FAIL' : verdict.decision, precheck: null };
  }
  const precheck = bandOf(policy);
  const ratio = c / b;
  const failed = regressed || ratio < precheck.failBelow;
  if (!failed && ratio < precheck.passAt) {
    if (prime === null) throw new SpeedError('READS_INVALID', 'B_prime could change the answer', { field: 'B_prime' });
    return { ...conclude(policy, b, c, prime), precheck };
  }
  if (prime !== null) throw new SpeedError('READS_INVALID', 'B_prime after a clear decision', { field: 'B_prime' });
  const decision = failed ? 'FAIL' : 'PASS';
  return { decision, speedup: ratio, required: precheck.passAt, noise: 0, precheck, reads: 2 };
}

function bandOf({ min_margin: m, noise_multiplier: k, max_noise: n }: ResidentPolicy): {
  failBelow: number;
  passAt: number;
} {
  return { failBelow: 1 + m, passAt: ((2 + n) / (2 - n)) * (1 + Math.max(m, k * n)) };
}

function conclude(policy: ResidentPolicy, b: number, c: number, prime: number): Omit<ResidentVerdict, 'precheck'> {
  const high = Math.max(b, prime);
  const low = Math.min(b, prime);
  const mean = (b + prime) / 2;
  const drift = (high - low) / mean;
  const { min_margin: m, noise_multiplier: k } = policy;
  if (drift > policy.max_noise) {
    const required = 1 + m;
    const decision = c / b >= required ? 'PASS' : 'FAIL';
    return { decision, speedup: c / b, required, noise: Number.POSITIVE_INFINITY, reads: 3 };
  }
  const required = 1 + Math.max(m, k * drift);
  // With one C read, being below `required` against the lower baseline implies it against the higher one too.
  const decision = c / high >= required ? 'PASS' : 'FAIL';
  return { decision, speedup: c / mean, required, noise: drift, reads: 3 };
}

function conditioningRegressed(policy: ResidentPolicy, b: ResidentRead, c: ResidentRead): boolean {
  if (b.conditioning_tokens !== c.conditioning_tokens) {
    throw new SpeedError('READS_INVALID', 'conditioning of another length', { field: 'C.conditioning_tokens' });
  }
  return c.conditioning_seconds > policy.max_conditioning_slowdown * b.conditioning_seconds;
}

/** Median of tokens per second over the timed windows. */
function medianRate(policy: ResidentPolicy, read: ResidentRead, name: string): number {
  if (!isCount(read.conditioning_tokens) || !isTime(read.conditioning_seconds)) {
    throw new SpeedError('READS_INVALID', 'conditioning is not a count and a time', { field: name });
  }
  const { windows } = read;
  if (!Array.isArray(windows) || windows.length < Math.max(policy.min_windows, LEAST_WINDOWS)) {
    throw new SpeedError('READS_INVALID', 'too few timed windows', { field: `${name}.windows` });
  }
  const rates = windows.map(([tokens, seconds], i) => {
    if (isCount(tokens) && isTime(seconds)) return tokens / seconds;
    throw new SpeedError('READS_INVALID', 'not a count and a time', { field: `${name}.windows[${i}]` });
  });
  rates.sort((x, y) => x - y);
  const upper = rates[rates.length >> 1] as number;
  return rates.length % 2 === 1 ? upper : ((rates[(rates.length >> 1) - 1] as number) + upper) / 2;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}
