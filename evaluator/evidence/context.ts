import type { CandidateRow, PlannedCandidate } from '../candidate/types.ts';
import { type Attempt, attemptDigest, type PlanObject, planDigest, planObject, type Rules } from '../launch/index.ts';
import {
  commitmentDigest,
  type PromptPool,
  promptPool,
  type SelectionCommitment,
  secretCommitment,
  selectionCommitment,
  selectionSeed,
  selectV2,
} from '../select/index.ts';

/** What the chain says about one place of a cohort, and the rules it is measured under. */
export interface PlaceContext {
  readonly rules: Rules;
  readonly cohortIndex: number;
  /** 2i + s is member i, side s. */
  readonly place: number;
  /** The drawn validator's hotkey, SS58. */
  readonly hotkey: string;
  readonly reservationId: string;
  readonly incumbentStackDigest: string;
  readonly incumbentTreeDigest: string;
  /** "0x" + 64 hex: hash of the block lag_blocks above the attempt anchor. */
  readonly blockHash: string;
}

/** Everything that follows from a planned candidate, the secret and the chain, before anything runs. */
export interface Run {
  readonly plan: PlanObject;
  readonly planDigest: string;
  readonly attempt: Attempt;
  readonly attemptDigest: string;
  readonly seed: string;
  readonly pool: PromptPool;
  readonly commitment: SelectionCommitment;
  readonly commitmentDigest: string;
  /** Digests of the prompts that T grades, sorted. */
  readonly selected: readonly string[];
}

/** The attempt of a place; `planned` is null if the bundle cannot be had or is refused. */
export function attemptOf(
  context: Omit<PlaceContext, 'blockHash'>,
  secret: Uint8Array,
  planned: PlannedCandidate | null,
): Attempt {
  return {
    cohort_index: context.cohortIndex,
    hotkey: context.hotkey,
    incumbent_stack_digest: context.incumbentStackDigest,
    place: context.place,
    plan_digest: planned === null ? null : planDigest(planOf(context, planned)),
    reservation_id: context.reservationId,
    secret_commitment: secretCommitment(secret),
  };
}

/** Derives the run of a planned candidate; pure, so that anyone with the secret derives the same. */
export function deriveRun(context: PlaceContext, secret: Uint8Array, planned: PlannedCandidate): Run {
  const { evaluation, reference } = context.rules;
  const plan = planOf(context, planned);
  const attempt = attemptOf(context, secret, planned);
  const digest = attemptDigest(attempt);
  const seed = selectionSeed(digest, context.blockHash, secret);
  const pool = promptPool(evaluation.prompt_pool_seed, evaluation.prompt_count);
  const commitment = selectionCommitment({
    sourcePlanDigest: planDigest(plan),
    reference,
    secretCommitment: attempt.secret_commitment,
    promptDigests: pool.map((prompt) => prompt.digest),
    selectCount: evaluation.select_count,
    policyVersion: 'qualification-selection.v2',
  });
  return {
    plan,
    planDigest: planDigest(plan),
    attempt,
    attemptDigest: digest,
    seed,
    pool,
    commitment,
    commitmentDigest: commitmentDigest(commitment),
    selected: selectV2(commitment, seed),
  };
}

function planOf(context: Omit<PlaceContext, 'blockHash'>, planned: PlannedCandidate): PlanObject {
  const { consensus } = context.rules;
  return planObject({
    armDigest: planned.armDigest,
    place: context.place,
    arenaDigest: consensus.arena_digest,
    evaluationDigest: consensus.evaluation_digest,
    speedPolicyDigest: consensus.speed_policy_digest,
  });
}

/** A row to compile, and whose it is. */
export interface BuildTask {
  readonly owner: 'proposal' | 'incumbent';
  readonly row: CandidateRow;
}

/** What is compiled, in order: the proposal's rows, so that a broken one costs nothing else, then the incumbent's. */
export function buildTasks(planned: PlannedCandidate): BuildTask[] {
  const proposal = planned.candidateRows.filter((row) => row.proposed);
  return [
    ...proposal.map((row) => ({ owner: 'proposal', row }) as const),
    ...planned.baselineRows.map((row) => ({ owner: 'incumbent', row }) as const),
  ];
}
