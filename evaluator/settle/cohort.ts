import { type CatalogTarget, parseCatalogSnapshot } from '../catalog/index.ts';
import type { StandingClaim } from '../economics/claims.ts';
import { MIN_SPEEDUP_PPM } from '../economics/constants.ts';
import { sortedSet } from '../fields/index.ts';
import { canonicalJson, decimalToPpm, parseSpeedup } from '../identity/index.ts';
import { contextOf, contributionDigest, type EvidenceArtifactRef, entryOf, stackDigest } from '../manifest/index.ts';
import { armDigest, marginalArm, planTransition } from '../plan/index.ts';
import type { SettlementCandidate } from './candidate.ts';
import { SettlementError } from './errors.ts';
import { replayEvents, type SettlementEvent } from './event.ts';
import { type SettlementEvidence, settlementEvidence, settlementEvidenceDigest } from './evidence.ts';
import { checkLedger, type Ledger, sortedClaims } from './ledger.ts';
import { planOrderedSettlement, type SettlementPlan } from './plan.ts';

/** A candidate that may be crowned in this close, with its two attempts (see `attemptRef`). */
export interface RipeSettlement {
  readonly candidate: SettlementCandidate;
  readonly attempts: readonly [EvidenceArtifactRef, EvidenceArtifactRef];
}

/** What a close writes in one transaction. */
export interface CohortSettlement {
  readonly ledger: Ledger;
  readonly events: readonly SettlementEvent[];
  /** Of the winner; its digest is the new claim's retained_evidence_digest. */
  readonly evidence: SettlementEvidence;
  readonly plan: SettlementPlan;
}

/**
 * Applies the ripe candidates of one cohort to the ledger (`peer-protocol.md` section 8). Pure: the same ledger and
 * candidates give the same bytes on every node.
 * @param ripe in order key order
 * @param winner index into `ripe`, by settlement-order.v2
 * @throws SettlementError SETTLE_*, EVIDENCE_MISMATCH; errors of planning where the winner is no marginal change
 */
export function settleCohort(ledger: Ledger, ripe: readonly RipeSettlement[], winner: number): CohortSettlement {
  const candidates = ripe.map((row) => row.candidate);
  const base = { manifest: ledger.manifest, treeDigest: ledger.tree_digest, journal: ledger.journal };
  const plan = planOrderedSettlement(candidates, winner, base);
  const { candidate, attempts } = ripe[winner] as RipeSettlement;
  requireMarginal(candidate, ledger);
  const evidence = settlementEvidence(candidate, attempts);
  const manifest = plan.transition?.manifest ?? ledger.manifest;
  const kept = ledger.claims.filter(
    (claim) => claim.target_id !== candidate.primary.target_id && entryOf(manifest, claim.target_id) !== undefined,
  );
  const next: Ledger = {
    schema_version: 1,
    manifest,
    stack_digest: plan.after.stack_digest,
    tree_digest: plan.after.tree_digest,
    journal: replayEvents(ledger.journal, plan.events),
    claims: sortedClaims([...kept, claimOf(candidate, settlementEvidenceDigest(evidence))]),
  };
  checkLedger(next);
  return { ledger: next, events: plan.events, evidence, plan };
}

/**
 * Checks that a candidate is exactly the change that the catalog derives from the ledger's stack: its manifest, its
 * arm and its members. The reference trusts the planner here.
 * @throws SettlementError SETTLE_NOT_MARGINAL, errors of planning
 */
export function requireMarginal(candidate: SettlementCandidate, ledger: Ledger): void {
  const { primary } = candidate;
  const { manifest, tree_digest } = ledger;
  const catalog = parseCatalogSnapshot(manifest.catalog_snapshot);
  const replacement =
    primary.candidate_manifest === null ? undefined : entryOf(primary.candidate_manifest, primary.target_id);
  if (replacement === undefined) throw notMarginal('candidate_manifest');
  const planned = planTransition(manifest, replacement, contextOf(manifest), catalog);
  if (stackDigest(planned.candidate) !== primary.candidate_stack_digest) throw notMarginal('candidate_manifest');
  if (armDigest(marginalArm(planned, tree_digest, primary.candidate_tree_digest)) !== primary.arm_digest) {
    throw notMarginal('arm_digest');
  }
  const target = catalog.find(primary.target_id) as CatalogTarget;
  if (canonicalJson(sortedSet(target.members)) !== canonicalJson(primary.members)) throw notMarginal('members');
}

function claimOf(candidate: SettlementCandidate, evidenceDigest: string): StandingClaim {
  const { arena_digest, target_id, hotkey, finalized_block, candidate_manifest } = candidate.primary;
  const entry = candidate_manifest === null ? undefined : entryOf(candidate_manifest, target_id);
  if (entry === undefined) throw notMarginal('candidate_manifest');
  const ppm = decimalToPpm(parseSpeedup(candidate.speedup));
  if (ppm < MIN_SPEEDUP_PPM) throw new SettlementError('SETTLE_SPEEDUP_TOO_SMALL', undefined, { field: 'speedup' });
  return {
    arena_digest,
    target_id,
    target_spec_digest: entry.target_spec_digest,
    contribution_digest: contributionDigest(entry),
    hotkey,
    speedup_ppm: ppm <= Number.MAX_SAFE_INTEGER ? Number(ppm) : ppm,
    crowned_block: finalized_block,
    retained_evidence_digest: evidenceDigest,
  };
}

function notMarginal(field: string): SettlementError {
  return new SettlementError('SETTLE_NOT_MARGINAL', undefined, { field });
}
