import { z } from 'zod';
import { canonicalDigest, isDigest } from '../identity/index.ts';
import { SpeedError } from './errors.ts';
import { pythonFormat17 } from './format.ts';

const digest = z.string().refine(isDigest, 'not a digest');
const schema = z
  .strictObject({
    version: z.union([z.literal(7), z.literal(8)]),
    calibration_digest: digest,
    calibration_context_digest: digest,
    min_margin: z.number().gt(0).lt(1),
    noise_multiplier: z.number().gt(0),
    max_noise: z.number().min(0).max(0.02),
    min_windows: z.int().min(3).max(512),
    max_window_scatter: z.number().gt(0).max(0.25),
    max_conditioning_slowdown: z.number().gt(1).max(2),
    max_stage_seconds: z.int().min(60).max(7200),
    max_qualification_seconds: z.int().max(14_400).default(7200),
  })
  .refine((policy) => policy.max_stage_seconds <= policy.max_qualification_seconds, {
    path: ['max_qualification_seconds'],
    message: 'below max_stage_seconds',
  });

/** Speed policies v7 and v8 of the reference, kept exactly (`protocol.md` section 12). Fractions are IEEE doubles. */
export type ResidentPolicy = Readonly<z.infer<typeof schema>>;

/** @throws SpeedError SPEED_POLICY_INVALID naming the field */
export function parseResidentPolicy(value: unknown): ResidentPolicy {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new SpeedError('SPEED_POLICY_INVALID', issue?.message, { field: issue?.path.join('.') ?? '' });
}

/** CD("cacheon.qualification.resident-speed-policy", fields with floats as '.17g' strings, band, order, timing). */
export function residentPolicyDigest(policy: ResidentPolicy): string {
  const isSeven = policy.version === 7;
  return canonicalDigest('cacheon.qualification.resident-speed-policy', {
    ...policy,
    min_margin: pythonFormat17(policy.min_margin),
    noise_multiplier: pythonFormat17(policy.noise_multiplier),
    max_noise: pythonFormat17(policy.max_noise),
    max_window_scatter: pythonFormat17(policy.max_window_scatter),
    max_conditioning_slowdown: pythonFormat17(policy.max_conditioning_slowdown),
    borderline_band: isSeven ? 'pod_bookend_invariant' : 'invariant_over_reads_taken',
    read_order: ['B', 'C', isSeven ? 'B_prime_if_inconclusive' : 'B_prime'],
    timing: 'serialized_resident_host_time',
  });
}
