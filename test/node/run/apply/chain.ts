import type { JsonObject, JsonValue } from '../../../../evaluator/identity/index.ts';
import type { Consensus, FoldBlock, FoldState } from '../../../../evaluator/peer/index.ts';
import { genesisLedger, type Ledger } from '../../../../evaluator/settle/index.ts';
import { type Applied, Applier, headOf } from '../../../../node/run/apply/index.ts';
import type { Grading, Store } from '../../../../node/store/index.ts';
import { sampleConsensus } from '../../../evaluator/peer/sample.ts';
import { digest, type StepInput, World } from '../../../evaluator/peer/world.ts';
import { ARENA, qualificationPair, SPEED_POLICY, STOCK_TREE, stockStack } from '../../../evaluator/settle/fixtures.ts';

export const TARGET = 'linear.matmul';

export function genesis(): Ledger {
  return genesisLedger(stockStack(), STOCK_TREE);
}

/** A consensus object over the stack of the settlement fixtures. */
export function consensus(change: Partial<Consensus> = {}): Consensus {
  const { stack_digest } = genesis();
  return sampleConsensus({
    arena_digest: ARENA,
    genesis_stack_digest: stack_digest,
    speed_policy_digest: SPEED_POLICY,
    ...change,
  });
}

export function applierOf(
  store: Store,
  change: Partial<Consensus> = {},
  more: Partial<ConstructorParameters<typeof Applier>[1]> = {},
): Applier {
  return new Applier(
    { genesis: { consensus: consensus(change), ledger: genesis() }, policyNoticeBlocks: 10 },
    {
      store,
      source: { object: () => null, isRecord: () => false },
      genesisOf: () => {
        throw new Error('no other arena');
      },
      ...more,
    },
  );
}

/** Makes the blocks of a small chain for an applier; it decides nothing itself. */
export class Chain extends World {
  readonly applier: Applier;

  constructor(applier: Applier) {
    super(applier.state.consensus);
    this.applier = applier;
    this.state = applier.state;
    this.ledger = headOf(applier.ledger);
  }

  next(input: StepInput = {}): FoldBlock {
    this.state = this.applier.state;
    return this.block(input);
  }

  apply(input: StepInput = {}): Applied {
    const result = this.applier.apply(this.next(input));
    this.state = this.applier.state;
    return result;
  }

  override step(input: StepInput = {}): Applied {
    return this.apply(input);
  }

  /** One cohort of one member whose results are shown and named by everybody, up to the block before its close. */
  toClose(): void {
    this.openCohort();
    this.anchorAll('attempt');
    for (let i = 0; i <= this.state.consensus.lag_blocks; i++) this.step();
    this.anchorAll('receipt');
    this.ballots(this.hotkeys());
    const { phase } = this.state;
    if (phase.kind !== 'ballots') throw new Error(`no ballots while ${phase.kind}`);
    this.stepTo(phase.opening_height + this.state.consensus.ballot_blocks - 1);
  }
}

/** What regrade stores of a result that passed at a place of cohort 0, for a bundle that a seed names. */
export function passed(ledger: Ledger, place: 0 | 1, seed = 'one', change: Partial<Grading> = {}): Grading {
  const qualification = qualificationPair(ledger, { target: TARGET, seed })[place];
  const attempt: JsonObject = { place, reservation_id: digest(`reservation ${seed}`) };
  const { speedup, target_id, members, selected_delta_digest, candidate_stack_digest } = qualification as unknown as {
    speedup: string;
    target_id: string;
    members: string[];
    selected_delta_digest: string;
    candidate_stack_digest: string;
  };
  return {
    cohort_index: 0,
    place,
    receipt_digest: digest(`receipt 0 ${place}`),
    graded: { result: 'PASS', speedup, target_id, members, selected_delta_digest, candidate_stack_digest },
    reason: null,
    qualification: { attempt, qualification } as JsonValue,
    ...change,
  };
}

/** Everything a step makes durable, to be compared. */
export function durable(store: Store): unknown {
  return JSON.parse(
    JSON.stringify({
      fold: store.state.fold(),
      ledger: store.state.ledger(),
      cursor: store.cursor.get(),
      records: store.records.page(null, 100),
      journal: store.journal.page(null, 100),
      snapshot: store.state.newestSnapshot(),
      target: store.weights.target(),
    }),
  );
}

export type { FoldState };
