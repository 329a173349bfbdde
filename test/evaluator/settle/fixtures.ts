import { wasmArenaCatalog } from '../../../evaluator/catalog/index.ts';
import { sortedSet } from '../../../evaluator/fields/index.ts';
import { canonicalDigest, type JsonObject, sha256Hex } from '../../../evaluator/identity/index.ts';
import {
  attributionDigest,
  type ContributionRef,
  contextOf,
  type EvaluationStackManifest,
  parseEvaluationStack,
  selectedDeltaDigest,
  stackDigest,
} from '../../../evaluator/manifest/index.ts';
import { armDigest, marginalArm, planTransition } from '../../../evaluator/plan/index.ts';
import {
  attemptRef,
  formCandidate,
  type Ledger,
  parseQualification,
  peerOrientation,
  type RipeSettlement,
} from '../../../evaluator/settle/index.ts';

export const digest = (seed: string) => sha256Hex(seed);
export const CATALOG = wasmArenaCatalog();
export const ARENA = digest('arena');
export const SPEED_POLICY = digest('speed policy of the consensus object');
export const STOCK_TREE = digest('stock tree');
/** SS58 of a development key. */
export const MINER = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';

/** An empty stack of the WASM arena. */
export function stockStack(): EvaluationStackManifest {
  return parseEvaluationStack({
    type: 'evaluation_stack',
    schema_version: 1,
    stack_policy_version: 'evaluation-stack.v1',
    runtime_digest: digest('runtime'),
    base_engine_digest: STOCK_TREE,
    arena_digest: ARENA,
    catalog_digest: CATALOG.digest,
    catalog_snapshot: CATALOG.snapshot,
    entries: {},
  });
}

export function proposal(targetId: string, seed: string): ContributionRef {
  return {
    type: 'proposal',
    schema_version: 1,
    target_id: targetId,
    target_spec_digest: CATALOG.find(targetId)?.target_spec_digest ?? '',
    selected_payload_digest: digest(`payload ${seed}`),
    attribution_digest: attributionDigest(digest(`bundle ${seed}`), MINER, digest(`reservation ${seed}`)),
    artifact_digest: digest(`bundle ${seed}`),
  };
}

export interface Proposed {
  readonly target: string;
  readonly seed: string;
  readonly block?: number;
  readonly speedups?: readonly [string, string];
}

/** The two qualification objects of a proposal that passed on both sides against the ledger's stack. */
export function qualificationPair(ledger: Ledger, proposed: Proposed): [JsonObject, JsonObject] {
  return [side(ledger, proposed, 0), side(ledger, proposed, 1)];
}

/** A proposal that passed on both sides, ready for `settleCohort`. */
export function ripe(ledger: Ledger, proposed: Proposed): RipeSettlement {
  const policies = new Set([SPEED_POLICY]);
  const [primary, reproduction] = qualificationPair(ledger, proposed);
  const candidate = formCandidate(parseQualification(primary, policies), parseQualification(reproduction, policies));
  return { candidate, attempts: [attemptRef(attempt(proposed, 0)), attemptRef(attempt(proposed, 1))] };
}

function attempt({ seed }: Proposed, side: 0 | 1): JsonObject {
  return { place: side, reservation_id: digest(`reservation ${seed}`) };
}

function side(ledger: Ledger, proposed: Proposed, index: 0 | 1): JsonObject {
  const { target, seed, block = 100, speedups = ['1.25', '1.2'] } = proposed;
  const replacement = proposal(target, seed);
  const planned = planTransition(ledger.manifest, replacement, contextOf(ledger.manifest), CATALOG);
  const arm = marginalArm(planned, ledger.tree_digest, digest(`tree ${seed}`));
  const own = (name: string) => digest(`${name} ${seed} ${index}`);
  return {
    lane: 'registered',
    arena_digest: ARENA,
    reservation_digest: digest(`reservation ${seed}`),
    finalized_block: block,
    event_index: 0,
    event_subindex: 0,
    hotkey: MINER,
    target_id: target,
    members: sortedSet(CATALOG.find(target)?.members ?? []),
    selected_delta_digest: selectedDeltaDigest(replacement),
    qualification_authority_digest: own('authority'),
    qualification_plan_digest: own('plan'),
    qualification_attempt_digest: canonicalDigest('cacheon.peer.attempt.v1', attempt(proposed, index)),
    qualification_report_digest: own('report'),
    selection_commitment_digest: own('selection commitment'),
    selection_secret_commitment_digest: own('secret commitment'),
    selection_evidence_digest: own('selection evidence'),
    arm_digest: armDigest(arm),
    incumbent_stack_digest: ledger.stack_digest,
    incumbent_tree_digest: ledger.tree_digest,
    candidate_stack_digest: stackDigest(planned.candidate),
    candidate_tree_digest: arm.challenger.tree_digest,
    speedup: speedups[index],
    incumbent_manifest: ledger.manifest as unknown as JsonObject,
    candidate_manifest: planned.candidate as unknown as JsonObject,
    proposal_digest: '',
    speed_evidence_policy_digest: SPEED_POLICY,
    resident_lane_orientation: peerOrientation(ARENA, SPEED_POLICY, index) as unknown as JsonObject,
  };
}
