import { type Chain, type FinalizedHead, integerOf, type StateReader } from '../rpc/index.ts';
import type { Signer } from '../signer/index.ts';
import {
  afterSubmit,
  confirmed,
  held,
  intentFor,
  isProven,
  nextAction,
  pending,
  supersede,
  type WeightsJournalStore,
  type WeightsRow,
  type WeightsTarget,
} from './journal.ts';
import { readWeightsView } from './view.ts';

export interface PublisherOptions {
  readonly netuid: number;
  readonly deadlineMs?: number;
}

export interface PublishOutcome {
  readonly row: WeightsRow;
  /** The finalized height from which calling again makes sense; null if the row is done. */
  readonly againAtHeight: number | null;
}

/**
 * Publishes weights through a journal: every step is durable before the next has an effect, so a crash anywhere is
 * resumed by calling `advance` again, and never signs a second vector for one epoch height.
 */
export class WeightsPublisher {
  readonly #chain: Chain;
  readonly #signer: Signer;
  readonly #store: WeightsJournalStore;
  readonly #options: PublisherOptions;

  constructor(
    options: PublisherOptions,
    dependencies: { readonly chain: Chain; readonly signer: Signer; readonly store: WeightsJournalStore },
  ) {
    this.#options = options;
    this.#chain = dependencies.chain;
    this.#signer = dependencies.signer;
    this.#store = dependencies.store;
  }

  /**
   * Does the next thing for a target. One call at a time. WEIGHTS_CONFLICT, WEIGHTS_STALE, WEIGHTS_VECTOR,
   * WEIGHTS_COMMIT_REVEAL; chain errors as they come, with the journal as it was left.
   */
  async advance(target: WeightsTarget, signal?: AbortSignal): Promise<PublishOutcome> {
    const head = await this.#chain.finalizedHead(signal);
    const state = await this.#chain.stateAt(head.hash, signal);
    const latest = this.#store.latest();
    const same = this.#store.load(target.epoch_height);
    const row = intentFor(target, { same, latest }, head.height);
    if (latest !== null && latest.epoch_height < target.epoch_height) {
      const settled = supersede(latest, await this.#view(state, head, latest, signal));
      if (settled === null) return { row, againAtHeight: (latest.death_height as number) - 1 };
      if (settled !== latest) this.#store.save(settled);
    }
    const action = nextAction(row, await this.#view(state, head, row, signal));
    switch (action.kind) {
      case 'done':
        return { row, againAtHeight: null };
      case 'confirm':
        return this.#saved(confirmed(row, head.height));
      case 'hold':
        return this.#saved(held(row, action.reason));
      case 'wait':
        return { row, againAtHeight: action.untilHeight };
      case 'sign':
        return this.#sign(row, state, signal);
    }
  }

  async #sign(journaled: WeightsRow, state: StateReader, signal?: AbortSignal): Promise<PublishOutcome> {
    const intent: WeightsRow = { ...journaled, state: 'intent' };
    if (this.#store.load(intent.epoch_height)?.state !== 'intent') this.#store.save(intent);
    const { netuid, deadlineMs } = this.#options;
    const versionKey = await state.get('SubtensorModule', 'WeightsVersionKey', [netuid], signal);
    const version = integerOf(versionKey, 'SubtensorModule.WeightsVersionKey');
    let row = intent;
    const result = await this.#signer.submit({
      call: (runtime) =>
        runtime.call('SubtensorModule', 'set_weights', [netuid, intent.uids, intent.values, version.toString()]),
      confirmed: async (at, block) => isProven(intent, await this.#view(at, block, intent, signal)),
      beforeSend: ({ deathHeight }) => {
        row = pending(intent, deathHeight);
        this.#store.save(row);
      },
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
      ...(signal === undefined ? {} : { signal }),
    });
    const head = await this.#chain.finalizedHead(signal);
    const after = afterSubmit(row, result, head.height);
    return after === row ? again(row) : this.#saved(after);
  }

  #saved(row: WeightsRow): PublishOutcome {
    this.#store.save(row);
    return again(row);
  }

  #view(state: StateReader, { height }: FinalizedHead, row: WeightsRow, signal?: AbortSignal) {
    const { netuid } = this.#options;
    return readWeightsView(state, { netuid, hotkey: this.#signer.hotkey, height, uids: row.uids }, signal);
  }
}

function again(row: WeightsRow): PublishOutcome {
  if (row.state === 'confirmed' || row.state === 'held') return { row, againAtHeight: null };
  const inFlight = row.state === 'pending' && row.death_height !== null;
  return { row, againAtHeight: inFlight ? (row.death_height as number) - 1 : row.retry_height };
}
