import { type AuditPolicy, parseAuditPolicy } from '../audit/index.ts';
import { ObjectReader } from '../fields/index.ts';
import { canonicalDigest, parseDecimal } from '../identity/index.ts';
import { POOL_MAX_PROMPTS, WARMUP_PROMPTS } from '../select/index.ts';
import type { SpeedPolicy } from '../speed/index.ts';
import { LaunchError } from './errors.ts';

/** What is asked of a candidate besides speed (`names.md`, evaluation_digest). */
export interface Evaluation {
  readonly schema_version: 1;
  readonly reference_manifest_digest: string;
  /** 64 hex digits. */
  readonly prompt_pool_seed: string;
  readonly prompt_count: number;
  /** Prompts that T grades. */
  readonly select_count: number;
  readonly audit_policy: AuditPolicy;
  readonly token_rule: 'greedy-equal-or-margin';
  /** A decimal: how far below the best logit a token's may be. */
  readonly logit_margin: string;
  /** Fresh pairs of lane processes, and blocks in each pair: those of the speed policy. */
  readonly launches: number;
  readonly blocks: number;
}

const KEYS = [
  'schema_version',
  'reference_manifest_digest',
  'prompt_pool_seed',
  'prompt_count',
  'select_count',
  'audit_policy',
  'token_rule',
  'logit_margin',
  'launches',
  'blocks',
] as const;

/**
 * Reads an evaluation object, which must agree with the speed policy it is used with.
 * @throws FieldError, AuditError, or LaunchError EVALUATION_INVALID, naming the field
 */
export function parseEvaluation(value: unknown, speed: SpeedPolicy, at = 'evaluation'): Evaluation {
  const reader = new ObjectReader(value, at, KEYS);
  const halves = speed.quads * 2;
  const margin = reader.raw('logit_margin');
  if (typeof margin !== 'string' || margin.length > 40 || parseDecimal(margin) === null) {
    throw new LaunchError('EVALUATION_INVALID', 'not a canonical decimal', { field: reader.at('logit_margin') });
  }
  return {
    schema_version: reader.literal('schema_version', 1),
    reference_manifest_digest: reader.digest('reference_manifest_digest'),
    prompt_pool_seed: reader.digest('prompt_pool_seed'),
    prompt_count: reader.integer('prompt_count', WARMUP_PROMPTS + halves, POOL_MAX_PROMPTS),
    // Every selected prompt is timed once in each pair, and a half may have a single sequence.
    select_count: reader.integer('select_count', 1, halves),
    audit_policy: parseAuditPolicy(reader.raw('audit_policy'), reader.at('audit_policy')),
    token_rule: reader.literal('token_rule', 'greedy-equal-or-margin'),
    logit_margin: margin,
    launches: reader.integer('launches', speed.pairs, speed.pairs),
    blocks: reader.integer('blocks', halves * 2, halves * 2),
  };
}

/** CD("cacheon.evaluation.v1", evaluation). */
export function evaluationDigest(evaluation: Evaluation): string {
  return canonicalDigest('cacheon.evaluation.v1', evaluation);
}
