import type { PlannedCandidate } from '../candidate/types.ts';
import { type PlaceContext, type Run, selectionReceiptOf } from '../evidence/index.ts';
import { sortedSet } from '../fields/index.ts';
import { sha256Hex } from '../identity/index.ts';
import { authorityDigest, sideOf } from '../launch/index.ts';
import { selectionEvidenceDigest } from '../select/index.ts';
import { parseQualification, peerOrientation, type Qualification } from '../settle/index.ts';
import { receiptDigest } from '../statement/index.ts';
import type { ReservationFacts } from './types.ts';

/**
 * The settlement's qualification of a PASS (`protocol.md` section 7), with the seven digests and the orientation of
 * `names.md`. It is parsed by the settlement's own rules before it is returned.
 */
export function qualificationOf(input: {
  readonly context: PlaceContext;
  readonly reservation: ReservationFacts;
  readonly run: Run;
  readonly planned: PlannedCandidate;
  readonly statement: Uint8Array;
  readonly trajectory: Uint8Array;
  readonly speedup: string;
}): Qualification {
  const { context, reservation, run, planned } = input;
  const { consensus, consensusDigest } = context.rules;
  const speedPolicy = consensus.speed_policy_digest;
  return parseQualification(
    {
      lane: 'registered',
      arena_digest: consensus.arena_digest,
      reservation_digest: context.reservationId,
      finalized_block: reservation.block,
      event_index: reservation.event_index,
      event_subindex: reservation.event_subindex,
      hotkey: reservation.hotkey,
      target_id: planned.targetId,
      members: sortedSet(planned.members),
      selected_delta_digest: planned.selectedDeltaDigest,
      qualification_authority_digest: authorityDigest({
        consensus_digest: consensusDigest,
        cohort_index: context.cohortIndex,
        place: context.place,
        hotkey: context.hotkey,
      }),
      qualification_plan_digest: run.planDigest,
      qualification_attempt_digest: run.attemptDigest,
      qualification_report_digest: receiptDigest(input.statement),
      selection_commitment_digest: run.commitmentDigest,
      selection_secret_commitment_digest: run.attempt.secret_commitment,
      selection_evidence_digest: selectionEvidenceDigest(selectionReceiptOf(run, sha256Hex(input.trajectory))),
      arm_digest: planned.armDigest,
      incumbent_stack_digest: planned.incumbentStackDigest,
      incumbent_tree_digest: planned.incumbentTreeDigest,
      candidate_stack_digest: planned.candidateStackDigest,
      candidate_tree_digest: planned.candidateTreeDigest,
      speedup: input.speedup,
      incumbent_manifest: planned.incumbentManifest,
      candidate_manifest: planned.candidateManifest,
      proposal_digest: '',
      speed_evidence_policy_digest: speedPolicy,
      resident_lane_orientation: peerOrientation(consensus.arena_digest, speedPolicy, sideOf(context.place)),
    },
    new Set([speedPolicy]),
  );
}
