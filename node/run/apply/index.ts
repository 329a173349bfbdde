import type { JsonObject, JsonValue } from '../../../evaluator/identity/index.ts';
import { canonicalJson } from '../../../evaluator/identity/index.ts';
import {
  type ConsensusSource,
  type FoldBlock,
  type FoldState,
  initialState,
  parseFoldState,
  type StepResult,
  stepBlock,
} from '../../../evaluator/peer/index.ts';
import { type Ledger, parseLedger } from '../../../evaluator/settle/index.ts';
import type { Store } from '../../store/index.ts';
import type { NodeEvent } from '../events.ts';
import { narrate } from '../narrate.ts';
import { type AuthorityDependencies, headOf, StepAuthority } from './authority.ts';

export { headOf } from './authority.ts';

export interface ApplyOptions {
  /** What a new node starts from: the object's state before activation, and its genesis ledger. */
  readonly genesis: { readonly consensus: FoldState['consensus']; readonly ledger: Ledger };
  readonly policyNoticeBlocks: number;
}

export interface ApplyDependencies {
  readonly store: Store;
  readonly source: ConsensusSource;
  genesisOf: AuthorityDependencies['genesisOf'];
  /** Called inside the transaction of every applied step, to write what must be as durable as the step. */
  onApplied?(block: FoldBlock, state: FoldState, ledger: Ledger): readonly NodeEvent[];
}

/** What one block came to; anything but `applied` left everything as it was. */
export type Applied = StepResult;

/** The fold and the ledger in the store: one finalized block is one transaction. */
export class Applier {
  readonly #dependencies: ApplyDependencies;
  #state: FoldState;
  #ledger: Ledger;
  #add: ApplyDependencies['onApplied'];

  /** Opens what is stored, or starts before the activation height. @throws PeerError, SettlementError, StoreError */
  constructor(options: ApplyOptions, dependencies: ApplyDependencies) {
    this.#dependencies = dependencies;
    this.#add = dependencies.onApplied;
    const { store } = dependencies;
    const stored = store.state.fold();
    const ledger = store.state.ledger();
    if (stored === null || ledger === null) {
      const { consensus, ledger: genesis } = options.genesis;
      const { policyNoticeBlocks } = options;
      this.#ledger = genesis;
      this.#state = initialState(consensus, headOf(genesis), { policyNoticeBlocks });
    } else {
      this.#state = parseFoldState(canonicalJson(stored.state));
      this.#ledger = parseLedger(ledger);
    }
  }

  get state(): FoldState {
    return this.#state;
  }

  get ledger(): Ledger {
    return this.#ledger;
  }

  /** Where `onApplied` finds what the step adds; set before the first block. */
  set onApplied(add: NonNullable<ApplyDependencies['onApplied']>) {
    this.#add = add;
  }

  /**
   * Steps the fold over the next block and writes everything it changes in one transaction: state, ledger, settlement
   * events, record, cursor, and what `onApplied` adds. Memory follows only when the transaction is durable.
   */
  apply(block: FoldBlock): Applied {
    const { store, source, genesisOf } = this.#dependencies;
    const authority = new StepAuthority(this.#ledger, {
      grading: (cohort, place, receipt) => store.gradings.get(cohort, place, receipt),
      speedPolicyDigest: this.#state.consensus.speed_policy_digest,
      genesisOf,
    });
    const result = stepBlock(this.#state, block, authority, source);
    if (result.kind !== 'applied') return result;
    const ledger = authority.ledgerAfter;
    store.transaction(() => this.#write(block, result, ledger, authority));
    this.#state = result.state;
    this.#ledger = ledger;
    return result;
  }

  #write(
    block: FoldBlock,
    result: Extract<StepResult, { kind: 'applied' }>,
    ledger: Ledger,
    authority: StepAuthority,
  ): void {
    const { store } = this.#dependencies;
    const { state, record } = result;
    const at = { height: block.height, hash: block.hash };
    store.state.putFold({ ...at, state: asJson(state) });
    store.state.putLedger(asJson(ledger));
    for (const event of authority.events) store.journal.append(asJson(event) as JsonObject);
    if (record !== null) {
      store.records.append(record.index, record.previous, asJson(record));
      store.state.putSnapshot({ cohort_index: record.index, state: asJson(state), ledger: asJson(ledger) });
    }
    store.cursor.advance(at);
    const told = [...narrate(result.events, state, block.hash), ...(this.#add?.(block, state, ledger) ?? [])];
    for (const event of told) store.events.append(block.height, event.type, asJson(event));
  }
}

/** Plain data of ours as JSON values; `canonicalJson` refuses anything else when it is written. */
function asJson(value: object): JsonValue {
  return value as unknown as JsonValue;
}
