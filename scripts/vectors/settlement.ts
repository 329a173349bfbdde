import { FieldError } from '../../evaluator/fields/index.ts';
import { parseEvaluationStack } from '../../evaluator/manifest/index.ts';
import {
  eventDigest,
  finalizedOrder,
  formCandidate,
  formLegacyCandidate,
  parseQualification,
  planSettlement,
  qualificationDigest,
  reproductionIdentityDigest,
  type SettlementCandidate,
  settlementPlanDigest,
} from '../../evaluator/settle/index.ts';
import type { VectorFamily } from './family.ts';

interface Pair {
  readonly primary: unknown;
  readonly reproduction: unknown;
}

export const family: VectorFamily = {
  family: 'settlement',
  run(input) {
    if (input['op'] === 'plan') return plan(input);
    const candidate = form(input as unknown as Pair, input['new'] !== false);
    return {
      primary_digest: qualificationDigest(candidate.primary),
      reproduction_digest: qualificationDigest(candidate.reproduction),
      candidate_digest: candidate.digest,
      speedup: candidate.speedup,
      reproduction_identity_digest: reproductionIdentityDigest(candidate.primary),
      finalized_order: finalizedOrder(candidate),
    };
  },
};

function form({ primary, reproduction }: Pair, isNew: boolean): SettlementCandidate {
  const pair = [parseQualification(primary), parseQualification(reproduction)] as const;
  return isNew ? formCandidate(...pair) : formLegacyCandidate(...pair);
}

function plan(input: Record<string, unknown>): Record<string, unknown> {
  const sequence = input['initial_event_sequence'];
  if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence) || sequence < 0) {
    throw new FieldError('FIELD_INTEGER', undefined, { field: 'initial_event_sequence' });
  }
  const result = planSettlement(
    (input['pairs'] as Pair[]).map((pair) => form(pair, false)),
    {
      manifest: parseEvaluationStack(input['current_manifest']),
      treeDigest: input['current_tree_digest'] as string,
      journal: { sequence, head: input['previous_event_digest'] as string },
    },
  );
  return {
    plan_digest: settlementPlanDigest(result),
    winner: result.winner_candidate_digest,
    events: result.events.map((event) => ({ ...event, digest: eventDigest(event) })),
    after: result.after,
  };
}
