import type { AuditPolicy } from '../audit/index.ts';
import { PAIRED_PREVIEW_V9, type SpeedPolicy } from '../speed/index.ts';
import type { Evaluation } from './evaluation.ts';

/** Shape of a decoder-only model, as far as audits need it. */
export interface ModelShape {
  readonly dim: number;
  readonly heads: number;
  readonly hidden: number;
  readonly vocab: number;
  /** Positions of the KV cache. */
  readonly context: number;
  /** Rows that one prefill step hands to a slot at most. */
  readonly prefillRows: number;
}

/** The embedded arena's audit: every shape its engine uses, then odd ones; about a second of work in all. */
export function defaultAuditPolicy(model: ModelShape, rmsEps: string): AuditPolicy {
  const { dim, heads, hidden, vocab, context, prefillRows } = model;
  const matrices = [
    [dim, 3 * dim],
    [dim, dim],
    [dim, 2 * hidden],
    [hidden, dim],
    [dim, vocab],
  ];
  const headDim = Math.floor(dim / heads);
  return {
    calls_per_slot: 24,
    repeated_calls: 8,
    sample_rate_ppm: 150_000,
    atol: '0.0001',
    rtol: '0.001',
    rms_eps: rmsEps,
    shapes: {
      'linear.matmul': [1, prefillRows].flatMap((rows) => matrices.map((matrix) => [rows, ...matrix])),
      'attention.decode': [1, 16, 63, 64, 65, 240, context].map((length) => [heads, headDim, length]),
      'activation.silu_and_mul': [1, 16, prefillRows].map((rows) => [rows, hidden]),
      'norm.rmsnorm': [1, 16, prefillRows].map((rows) => [rows, dim]),
    },
  };
}

/** An evaluation object with the project's defaults. */
export function defaultEvaluation(
  input: {
    readonly referenceManifestDigest: string;
    /** 64 hex digits. */
    readonly promptPoolSeed: string;
    readonly auditPolicy: AuditPolicy;
  },
  speed: SpeedPolicy = PAIRED_PREVIEW_V9,
): Evaluation {
  return {
    schema_version: 1,
    reference_manifest_digest: input.referenceManifestDigest,
    prompt_pool_seed: input.promptPoolSeed,
    prompt_count: 1024,
    select_count: Math.min(12, speed.quads * 2),
    audit_policy: input.auditPolicy,
    token_rule: 'greedy-equal-or-margin',
    logit_margin: '0.02',
    launches: speed.pairs,
    blocks: speed.quads * 4,
  };
}
