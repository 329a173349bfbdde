import { closeCohort } from './close.ts';
import { countAnchors, opensAt } from './cohort.ts';
import { type Consensus, consensusDigest } from './consensus.ts';
import { POLICY_NOTICE_BLOCKS } from './constants.ts';
import { stepDrawing } from './drawing.ts';
import { PeerError } from './errors.ts';
import type { FoldEvent } from './events.ts';
import { type ConsensusSource, duePolicies, type Ruling, rulingAt, stepPolicy } from './policy.ts';
import { expire, joinQueue } from './queue.ts';
import { stepReady } from './ready.ts';
import type { CohortRecord } from './record.ts';
import { seenAnchors } from './seen.ts';
import { isSampleHeight, takeSample } from './stake.ts';
import type { FoldState } from './state.ts';
import type { FoldAuthority, FoldBlock, LedgerHead } from './types.ts';

export type StepResult =
  | {
      readonly kind: 'applied';
      readonly state: FoldState;
      /** The record of the cohort that closed at this height, and its digest. */
      readonly record: CohortRecord | null;
      readonly record_digest: string | null;
      readonly events: readonly FoldEvent[];
    }
  /** Bytes of these counted receipts are missing here: fetch them and step the same block again. */
  | { readonly kind: 'waiting'; readonly state: FoldState; readonly receipts: readonly string[] }
  | Exclude<Ruling, { readonly kind: 'ruling' }>;

/** The state before the consensus object's activation height. */
export function initialState(
  consensus: Consensus,
  ledger: LedgerHead,
  options: { readonly policyNoticeBlocks?: number } = {},
): FoldState {
  return {
    schema_version: 1,
    consensus,
    consensus_digest: consensusDigest(consensus),
    height: consensus.activation_height - 1,
    policy_notice_blocks: options.policyNoticeBlocks ?? POLICY_NOTICE_BLOCKS,
    resume_height: consensus.activation_height,
    ledger,
    next_index: 0,
    record_digest: '',
    no_quorum_streak: 0,
    last_draw: null,
    queue: [],
    ready: [],
    penalties: [],
    samples: [],
    policy: [],
    expired: [],
    phase: { kind: 'idle' },
  };
}

/**
 * True if the fold reads the chain state of this height: a stake sample, or E of a cohort that is about to be drawn.
 * Certain for the height after the state's; for later ones only while the phase and the ruling object stay.
 */
export function needsState(state: FoldState, height: number): boolean {
  // Another object may want its sample here; to read too much does no harm.
  if (duePolicies(state, height).length > 0) return true;
  const { phase } = state;
  return isSampleHeight(state, height) || (phase.kind === 'drawing' && phase.draw_height === height);
}

const NO_SOURCE: ConsensusSource = { object: () => null, isRecord: () => false };

/**
 * One finalized block further (`peer-protocol.md` sections 2 to 8). Pure: the same arguments give the same result, and
 * nothing that is passed in changes. `authority.settle` and `authority.adoptGenesis` are called at most once.
 * @throws PeerError if the block does not follow, lacks chain state, or authority and state contradict each other;
 * then, as with `waiting`, nothing has happened
 */
export function stepBlock(
  state: FoldState,
  block: FoldBlock,
  authority: FoldAuthority,
  source: ConsensusSource = NO_SOURCE,
): StepResult {
  if (block.height !== state.height + 1) {
    throw new PeerError('BLOCK_OUT_OF_ORDER', `height ${block.height} after ${state.height}`, { field: 'height' });
  }
  const events: FoldEvent[] = [];
  const ruling = rulingAt(state, block.height, authority, source, events);
  if (ruling.kind !== 'ruling') return ruling;
  const anchors = seenAnchors(block.anchors);
  let next: FoldState = { ...ruling.state, height: block.height };
  next = stepPolicy(next, block, anchors, events);
  next = takeSample(next, block);
  next = stepReady(next, block.height, anchors);
  next = countAnchors(next, block, anchors, events);
  next = joinQueue(next, block, events);
  const { phase } = next;
  if (phase.kind === 'ballots' && block.height === phase.opening_height + next.consensus.ballot_blocks) {
    const closed = closeCohort(next, phase.cohort, phase.opening_height, block.height, authority);
    if (closed.kind === 'waiting') return { kind: 'waiting', state, receipts: closed.receipts };
    const { record, record_digest } = closed;
    events.push({ kind: 'cohort_closed', record, record_digest });
    return { kind: 'applied', state: closed.state, record, record_digest, events };
  }
  return { kind: 'applied', state: stepPhase(next, block, events), record: null, record_digest: null, events };
}

/** Step 4 of a height at which no cohort closes (section 5). */
function stepPhase(state: FoldState, block: FoldBlock, events: FoldEvent[]): FoldState {
  const { phase, consensus } = state;
  const { height } = block;
  switch (phase.kind) {
    case 'idle': {
      const kept = expire(state, 'age', (row) => height - row.block > consensus.expiry_blocks, events);
      if (kept.queue.length === 0 || height < kept.resume_height) return kept;
      const draw_height = height + consensus.lag_blocks;
      events.push({ kind: 'cohort_opened', opened: height, assignment_block: draw_height });
      return { ...kept, phase: { kind: 'drawing', opened: height, draw_height } };
    }
    case 'drawing':
      return height === phase.draw_height ? stepDrawing(state, phase.opened, block, events) : state;
    case 'measuring': {
      if (!opensAt(phase.cohort, consensus, height)) return state;
      events.push({ kind: 'cohort_opening', index: phase.cohort.index, opening_height: height });
      return { ...state, phase: { kind: 'ballots', cohort: phase.cohort, opening_height: height } };
    }
    case 'ballots':
      return state;
  }
}
