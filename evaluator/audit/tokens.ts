import { AuditError } from './errors.ts';

/** What the pristine reference says about one decoded token, teacher-forced. */
export interface TokenFact {
  readonly best: number;
  /** f32 logits, exact as doubles. */
  readonly bestLogit: number;
  readonly tokenLogit: number;
}

/**
 * The rule "greedy-equal-or-margin" (`names.md`): every token is the reference's best, or its logit is within
 * `margin` of the best one's. Returns the position of the first token that breaks it, or -1.
 * @throws AuditError AUDIT_FACTS_INVALID if the facts contradict themselves or do not cover the tokens
 */
export function firstWrongToken(tokens: readonly number[], facts: readonly TokenFact[], margin: number): number {
  if (tokens.length !== facts.length) throw new AuditError('AUDIT_FACTS_INVALID', 'not one fact for each token');
  facts.forEach((fact, i) => {
    const finite = Number.isFinite(fact.bestLogit) && Number.isFinite(fact.tokenLogit);
    const ordered = fact.best === tokens[i] ? fact.bestLogit === fact.tokenLogit : fact.bestLogit >= fact.tokenLogit;
    if (!finite || !ordered) throw new AuditError('AUDIT_FACTS_INVALID', undefined, { field: `tokens[${i}]` });
  });
  return facts.findIndex((fact, i) => fact.best !== tokens[i] && fact.bestLogit - fact.tokenLogit > margin);
}
