import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  type CohortRecord,
  type Consensus,
  type FoldAuthority,
  type FoldBlock,
  type FoldState,
  type Graded,
  initialState,
  type LedgerHead,
  needsState,
  parseFoldState,
  type SubnetState,
  serializeFoldState,
  stepBlock,
} from '../../../evaluator/peer/index.ts';
import { deepFreeze } from './world.ts';

interface Vector {
  readonly name: string;
  readonly input: {
    readonly consensus: Consensus;
    readonly blocks: readonly (Omit<FoldBlock, 'state'> & { readonly state?: SubnetState })[];
    readonly results: Readonly<Record<string, Graded & { readonly pair_ok: boolean }>>;
  };
  readonly expect: { readonly records: readonly CohortRecord[] };
}

const path = new URL('../../vectors/peer_fold.json', import.meta.url);
const { vectors } = JSON.parse(readFileSync(path, 'utf8')) as { vectors: readonly Vector[] };
const INVALID: Graded = {
  result: 'INVALID',
  speedup: null,
  target_id: null,
  members: [],
  selected_delta_digest: null,
  candidate_stack_digest: null,
};

interface Variant {
  /** What becomes of the state between two blocks. */
  readonly between?: (state: FoldState) => FoldState;
  /** Which chain state a block comes with. */
  readonly chainState?: (state: FoldState, height: number, subnet: SubnetState) => SubnetState | null;
  /** True while the bytes of a receipt are missing. */
  readonly isMissing?: (receipt: string) => boolean;
}

/** Folds a vector; a step that waits is tried again, and must have left the state alone. */
function recordsOf({ input }: Vector, variant: Variant): CohortRecord[] {
  const stack_digest = input.consensus.genesis_stack_digest;
  let ledger: LedgerHead = { stack_digest, journal_head: '', claims_digest: '' };
  const authority: FoldAuthority = {
    graded: (receipt) => (variant.isMissing?.(receipt) ? null : (input.results[receipt] ?? INVALID)),
    acceptsPair: ([a, b]) => {
      const [x, y] = [input.results[a], input.results[b]];
      const settled = (row: typeof x) => [
        row?.candidate_stack_digest,
        row?.selected_delta_digest,
        ...(row?.members ?? []),
      ];
      return x?.pair_ok === true && y?.pair_ok === true && settled(x).join() === settled(y).join();
    },
    settle: (ripe, winner) => {
      ledger = { ...ledger, stack_digest: ripe[winner]?.primary.candidate_stack_digest as string };
      return ledger;
    },
    ledger: () => ledger,
    adoptGenesis: () => ledger,
  };
  const records: CohortRecord[] = [];
  let state = initialState(input.consensus, ledger);
  let subnet: SubnetState = { validators: [], others: {} };
  for (const row of input.blocks) {
    subnet = row.state ?? subnet;
    const chainState = variant.chainState === undefined ? subnet : variant.chainState(state, row.height, subnet);
    const block = deepFreeze({ ...row, state: chainState, owner_hotkey: null });
    let step = stepBlock(state, block, authority);
    for (let tries = 0; step.kind === 'waiting' && tries < 100; tries++) {
      assert.equal(step.state, state);
      assert.ok(step.receipts.length > 0);
      step = stepBlock(state, block, authority);
    }
    assert.ok(step.kind === 'applied');
    if (step.record !== null) records.push(step.record);
    state = variant.between?.(step.state) ?? step.state;
  }
  return records;
}

test('the state may go through its text between any two blocks', () => {
  const between = (state: FoldState): FoldState => {
    const text = serializeFoldState(state);
    const read = parseFoldState(text);
    assert.deepEqual(read, state);
    return deepFreeze(read);
  };
  for (const vector of vectors) assert.deepEqual(recordsOf(vector, { between }), vector.expect.records, vector.name);
});

test('chain state is read only where needsState says so', () => {
  let read = 0;
  const chainState = (state: FoldState, height: number, subnet: SubnetState): SubnetState | null => {
    if (!needsState(state, height)) return null;
    read++;
    return subnet;
  };
  for (const vector of vectors) assert.deepEqual(recordsOf(vector, { chainState }), vector.expect.records, vector.name);
  const blocks = vectors.reduce((total, vector) => total + vector.input.blocks.length, 0);
  assert.ok(read > 0 && read < blocks / 3, `${read} of ${blocks} blocks`);
});

test('bytes that come late change no record', () => {
  for (const vector of vectors) {
    const asked = new Set<string>();
    const isMissing = (receipt: string): boolean => {
      const first = !asked.has(receipt);
      asked.add(receipt);
      return first;
    };
    assert.deepEqual(recordsOf(vector, { isMissing }), vector.expect.records, vector.name);
  }
});
