import { type ResolvedBundle, resolveBundle } from '../bundle/index.ts';
import type { CatalogTarget, TargetCatalog } from '../catalog/index.ts';
import { contentHash, type JsonObject, type TreeFile } from '../identity/index.ts';
import {
  attributionDigest,
  type ContributionRef,
  contributionDigest,
  type EvaluationStackContext,
  type EvaluationStackManifest,
  type ProposalContributionRef,
  selectedDeltaDigest,
  stackDigest,
} from '../manifest/index.ts';
import { armDigest, marginalArm, planTransition } from '../plan/index.ts';
import { materializeWasmTree, type TreeContribution, TreeError } from '../tree/index.ts';
import type { CandidateRow, PlannedCandidate, SlotId } from './types.ts';

/** What a proposal is planned against: the frozen incumbent, and where its sources are. */
export interface PlanningContext {
  readonly incumbent: EvaluationStackManifest;
  readonly context: EvaluationStackContext;
  readonly catalog: TargetCatalog;
  /** Files of an active contribution by its artifact or source tree digest, or null if they are not here. */
  readonly source: (digest: string) => readonly TreeFile[] | null;
}

/** The reservation a proposal came by (`peer-protocol.md` section 4). */
export interface ProposalOrigin {
  readonly reservation_id: string;
  readonly content_hash: string;
  /** The miner's SS58 hotkey. */
  readonly hotkey: string;
}

/** The tree of a stack, with the rows that replace slots in it. */
export interface MaterializedStack {
  readonly stackDigest: string;
  readonly treeDigest: string;
  readonly rows: readonly CandidateRow[];
}

/**
 * Plans a proposal as one exact marginal change to the frozen incumbent: resolve, derive the candidate stack,
 * materialize both trees, bind the arm (`protocol.md` sections 6 and 11). The same bytes, reservation and incumbent
 * give the same plan on every node.
 * @throws BundleError, PlanError, CatalogError: the candidate's; TreeError TREE_SOURCE_MISSING: bytes are missing here
 */
export function planCandidate(
  files: readonly TreeFile[],
  origin: ProposalOrigin,
  planning: PlanningContext,
): PlannedCandidate {
  const bundle = resolve(files, planning.catalog);
  const replacement = proposalRef(bundle, origin);
  const planned = planTransition(planning.incumbent, replacement, planning.context, planning.catalog);
  const incumbent = materializeStack(planned.incumbent, planning);
  const proposed = { reference: replacement, bundle };
  const candidate = materializeStack(planned.candidate, planning, proposed);
  const arm = marginalArm(planned, incumbent.treeDigest, candidate.treeDigest);
  return {
    targetId: bundle.target.target_id,
    members: [...bundle.target.members].sort(),
    selectedPayloadDigest: bundle.payloadDigest,
    selectedDeltaDigest: selectedDeltaDigest(replacement),
    armDigest: armDigest(arm),
    incumbentStackDigest: incumbent.stackDigest,
    incumbentTreeDigest: incumbent.treeDigest,
    candidateStackDigest: candidate.stackDigest,
    candidateTreeDigest: candidate.treeDigest,
    incumbentManifest: planned.incumbent as unknown as JsonObject,
    candidateManifest: planned.candidate as unknown as JsonObject,
    baselineRows: incumbent.rows,
    candidateRows: candidate.rows,
  };
}

/**
 * Reopens and resolves every contribution of a stack and materializes its tree.
 * @param proposed the one contribution whose bytes are given instead of looked up
 * @throws TreeError TREE_SOURCE_MISSING, TREE_PAYLOAD_MISMATCH
 */
export function materializeStack(
  manifest: EvaluationStackManifest,
  planning: Pick<PlanningContext, 'catalog' | 'source'>,
  proposed?: { readonly reference: ContributionRef; readonly bundle: ResolvedBundle },
): MaterializedStack {
  const digest = stackDigest(manifest);
  const contributions = Object.values(manifest.entries).map((reference) =>
    treeContribution(reference, reference === proposed?.reference ? proposed.bundle : reopen(reference, planning)),
  );
  const rows = contributions.flatMap(({ bundle, targetId }) =>
    rowsOf(bundle, targetId === proposed?.reference.target_id),
  );
  return { stackDigest: digest, treeDigest: materializeWasmTree(digest, contributions).digest, rows };
}

function resolve(files: readonly TreeFile[], catalog: TargetCatalog): ResolvedBundle<CatalogTarget> {
  const targets = catalog.targetIds.map((id) => catalog.find(id)).filter((target) => target !== null);
  return resolveBundle(files, targets);
}

function proposalRef(bundle: ResolvedBundle<CatalogTarget>, origin: ProposalOrigin): ProposalContributionRef {
  return {
    type: 'proposal',
    schema_version: 1,
    target_id: bundle.target.target_id,
    target_spec_digest: bundle.target.target_spec_digest,
    artifact_digest: origin.content_hash,
    selected_payload_digest: bundle.payloadDigest,
    attribution_digest: attributionDigest(origin.content_hash, origin.hotkey, origin.reservation_id),
  };
}

/** Opens an active contribution again from bytes; its payload must be the one that the stack names. */
function reopen(reference: ContributionRef, planning: Pick<PlanningContext, 'catalog' | 'source'>): ResolvedBundle {
  const digest = sourceDigest(reference);
  const files = planning.source(digest);
  if (files === null) throw new TreeError('TREE_SOURCE_MISSING', undefined, { field: digest });
  const whole = reference.type === 'integrated' || contentHash(files) === digest;
  const bundle = resolve(files, planning.catalog);
  if (!whole || bundle.payloadDigest !== reference.selected_payload_digest) {
    throw new TreeError('TREE_PAYLOAD_MISMATCH', undefined, { field: digest });
  }
  return bundle;
}

function sourceDigest(reference: ContributionRef): string {
  return reference.type === 'proposal' ? reference.artifact_digest : reference.integrated_source_tree_digest;
}

function treeContribution(reference: ContributionRef, bundle: ResolvedBundle): TreeContribution {
  return {
    targetId: reference.target_id,
    targetSpecDigest: reference.target_spec_digest,
    contributionRefDigest: contributionDigest(reference),
    selectedDeltaDigest: selectedDeltaDigest(reference),
    selectedPayloadDigest: reference.selected_payload_digest,
    sourceDigest: sourceDigest(reference),
    sourceKind: reference.type === 'proposal' ? 'proposal_artifact' : 'integrated_source',
    bundle,
  };
}

function rowsOf(bundle: ResolvedBundle, proposed: boolean): CandidateRow[] {
  return bundle.rows.map(({ slot, variant, source, files, entry, prepare, domain }) => ({
    // Resolution admitted the slot: it is a member of a target of this arena's catalog.
    slot: slot as SlotId,
    variant,
    source,
    files,
    entry,
    prepare,
    domain,
    proposed,
  }));
}
