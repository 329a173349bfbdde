import {
  type CohortRecord,
  type FoldAuthority,
  type FoldBlock,
  type Graded,
  initialState,
  type LedgerHead,
  parseConsensus,
  type SubnetState,
  stepBlock,
} from '../../evaluator/peer/index.ts';
import type { VectorFamily } from './family.ts';

/** A row of `results` (`peer-protocol.md` section 13). */
type Result = Graded & { readonly pair_ok: boolean };
type VectorBlock = Omit<FoldBlock, 'state'> & { readonly state?: SubnetState };

export const family: VectorFamily = {
  family: 'peer_fold',
  run(input) {
    const consensus = parseConsensus(input['consensus']);
    const genesis = { stack_digest: consensus.genesis_stack_digest, journal_head: '', claims_digest: '' };
    const authority = authorityOf(input['results'] as Record<string, Result>, genesis);
    const records: CohortRecord[] = [];
    const digests: string[] = [];
    let state = initialState(consensus, genesis);
    let subnet: SubnetState | null = null;
    for (const block of input['blocks'] as VectorBlock[]) {
      subnet = block.state ?? subnet;
      const step = stepBlock(state, { ...block, state: subnet, owner_hotkey: null }, authority);
      if (step.kind !== 'applied') throw new Error(`block ${block.height}: ${step.kind}`);
      state = step.state;
      if (step.record !== null) {
        records.push(step.record);
        digests.push(step.record_digest as string);
      }
    }
    const queue = state.queue.map((reservation) => reservation.reservation_id);
    return { records, record_digests: digests, state: state.phase.kind, queue };
  },
};

const INVALID: Graded = {
  result: 'INVALID',
  speedup: null,
  target_id: null,
  members: [],
  selected_delta_digest: null,
  candidate_stack_digest: null,
};

function authorityOf(results: Readonly<Record<string, Result>>, genesis: LedgerHead): FoldAuthority {
  let ledger = genesis;
  return {
    graded: (receipt) => results[receipt] ?? INVALID,
    acceptsPair([a, b]) {
      const [x, y] = [results[a], results[b]];
      if (x === undefined || y === undefined || !x.pair_ok || !y.pair_ok) return false;
      const settled = (row: Result): string =>
        JSON.stringify([row.candidate_stack_digest, row.selected_delta_digest, row.members]);
      return settled(x) === settled(y);
    },
    settle(ripe, winner) {
      ledger = { ...ledger, stack_digest: ripe[winner]?.primary.candidate_stack_digest as string };
      return ledger;
    },
    ledger: () => ledger,
    adoptGenesis: (stack_digest) => {
      ledger = { ...ledger, stack_digest };
      return ledger;
    },
  };
}
