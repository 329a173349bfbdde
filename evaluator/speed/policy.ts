import { z } from 'zod';
import { canonicalDigest } from '../identity/index.ts';
import { SpeedError } from './errors.ts';

/** Bounds of the policy's fields; the upper ones keep one measurement finite. */
export const MAX_PAIRS = 64;
export const MAX_QUADS = 64;
export const MAX_BLOCK_MS = 60_000;

const schema = z.strictObject({
  policy_version: z.literal('paired-preview.v9'),
  margin_ppm: z.int().min(1).max(1_000_000),
  pairs: z.int().min(1).max(MAX_PAIRS),
  quads: z.int().min(1).max(MAX_QUADS),
  block_ms_min: z.int().min(1).max(MAX_BLOCK_MS),
});

/** The speed policy of `names.md`: fresh pairs of processes, quads B C C B'. */
export type SpeedPolicy = Readonly<z.infer<typeof schema>>;

/** The values of `names.md`. */
export const PAIRED_PREVIEW_V9: SpeedPolicy = {
  policy_version: 'paired-preview.v9',
  margin_ppm: 100_000,
  pairs: 5,
  quads: 6,
  block_ms_min: 50,
};

/** @throws SpeedError SPEED_POLICY_INVALID naming the field */
export function parseSpeedPolicy(value: unknown): SpeedPolicy {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new SpeedError('SPEED_POLICY_INVALID', issue?.message, { field: issue?.path.join('.') ?? '' });
}

/** The digest that consensus object, plan and settlement name as speed_policy_digest. */
export function speedPolicyDigest(policy: SpeedPolicy): string {
  return canonicalDigest('cacheon.qualification.resident-speed-policy', policy);
}
