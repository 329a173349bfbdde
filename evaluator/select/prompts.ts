import { compareCodePoints, sha256Hex } from '../identity/index.ts';
import { SelectError } from './errors.ts';
import { POOL_MAX_PROMPTS, PROMPT_MAX_TOKENS, PROMPT_MIN_TOKENS, VOCABULARY } from './limits.ts';
import { SeedStream } from './stream.ts';

export interface Prompt {
  /** SHA-256 of its tokens, one byte each. */
  readonly digest: string;
  readonly tokens: readonly number[];
}

/** Prompts of an evaluation, sorted by digest, each digest once. */
export type PromptPool = readonly Prompt[];

/**
 * The prompt pool of an evaluation object: `count` prompts of 16 to 240 tokens, each a pure function of the seed.
 * @param seed prompt_pool_seed, 64 hex digits
 * @throws SelectError POOL_INVALID
 */
export function promptPool(seed: string, count: number): PromptPool {
  if (!Number.isSafeInteger(count) || count < 1 || count > POOL_MAX_PROMPTS) {
    throw new SelectError('POOL_INVALID', `1 to ${POOL_MAX_PROMPTS} prompts`, { field: 'prompt_count' });
  }
  const stream = new SeedStream(seed, 'cacheon.prompt-pool.v1');
  const prompts = new Map<string, Prompt>();
  while (prompts.size < count) {
    const length = PROMPT_MIN_TOKENS + stream.below(PROMPT_MAX_TOKENS - PROMPT_MIN_TOKENS + 1);
    const tokens = Array.from({ length }, () => stream.below(VOCABULARY));
    const digest = sha256Hex(Uint8Array.from(tokens));
    prompts.set(digest, { digest, tokens });
  }
  return [...prompts.values()].sort((a, b) => compareCodePoints(a.digest, b.digest));
}
