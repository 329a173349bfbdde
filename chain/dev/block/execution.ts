import {
  type BlockContext,
  DispatchFailure,
  type EventPhase,
  type Extrinsic,
  eventRecord,
  type PalletEvent,
  type Runtime,
  SystemEvents,
  systemStorage,
} from '../runtime/index.ts';
import { Overlay } from '../storage/index.ts';

const NO_WEIGHT = { refTime: 0n, proofSize: 0n };

/** Executes one block's hooks and extrinsics over `state` and collects its events. */
export class Execution implements BlockContext {
  readonly number: number;
  readonly #runtime: Runtime;
  #state: Overlay;
  #events: Uint8Array[] = [];
  #phase: EventPhase = null;
  #applied = 0;

  constructor(runtime: Runtime, state: Overlay, number: number) {
    this.#runtime = runtime;
    this.#state = state;
    this.number = number;
  }

  get state(): Overlay {
    return this.#state;
  }

  deposit<T>(event: PalletEvent<T>, value: T): void {
    this.#events.push(eventRecord(this.#phase, event, value));
  }

  /** The pallets' on_initialize, before any extrinsic. */
  initialize(): void {
    for (const pallet of this.#runtime.pallets) pallet.onInitialize?.(this);
  }

  /** Dispatches one extrinsic; what a failed one wrote and deposited is undone. `who` null: the author's own. */
  apply({ call, dispatch }: Extrinsic, who: Uint8Array | null): void {
    this.#phase = this.#applied;
    this.#applied += 1;
    if (who !== null) this.#countNonce(who);
    const dispatchInfo = { weight: NO_WEIGHT, class: call.class, paysFee: call.paysFee };
    const below = this.#state;
    const eventsBefore = this.#events.length;
    this.#state = new Overlay(below);
    try {
      dispatch(this, who);
      this.#state.commitTo(below);
      this.#state = below;
      this.deposit(SystemEvents.ExtrinsicSuccess, { dispatchInfo });
    } catch (failure) {
      if (!(failure instanceof DispatchFailure)) throw failure;
      this.#state = below;
      this.#events.length = eventsBefore;
      this.deposit(SystemEvents.ExtrinsicFailed, { dispatchError: failure.error, dispatchInfo });
    }
  }

  finalize(): void {
    this.#runtime.events.put(this.#state, [], this.#events);
    systemStorage.eventCount.put(this.#state, [], this.#events.length);
  }

  #countNonce(who: Uint8Array): void {
    const account = systemStorage.account.get(this.#state, who);
    systemStorage.account.put(this.#state, [who], { ...account, nonce: account.nonce + 1 });
  }
}
