import {
  type Anchor,
  type CohortDuties,
  type Duties,
  dutiesOf,
  encodeAnchor,
  type FoldState,
  type PlaceDuty,
  type ReceiptDuty,
} from '../../evaluator/peer/index.ts';
import type { Ledger } from '../../evaluator/settle/index.ts';
import type { Attempt, Store } from '../store/index.ts';
import { affordablePlaces, declaredCapacity } from './budget.ts';
import type { NodeEvent } from './events.ts';
import { type GradeDependencies, gradeReceipt } from './evidence/grade.ts';
import { type AttemptDependencies, ensureAttempt, isLastCall } from './places/attempt.ts';
import { dueBallot } from './places/ballot.ts';
import { type MeasureDependencies, measurePlace } from './places/measure.ts';
import type { Tasks } from './tasks.ts';

/** A ready row is renewed when less than this part of its life is left. */
const RENEW_READY_PART = 8;
/** Keys of work that is worth nothing once its place asks for something else. */
const MEASURE = 'measure:';
const PREPARE = 'prepare:';
const LAST_CALL = 'prepare-held:';

export interface KeeperOptions {
  readonly hotkey: string;
  /** Places of one cohort to declare; 0 follows without measuring. */
  readonly capacity: (state: FoldState) => number;
}

export interface KeeperDependencies {
  readonly store: Store;
  readonly tasks: Tasks;
  /** Anchors bytes and resolves when the fold has stepped the block that holds them. `after`: only a later one counts. */
  anchor(bytes: Uint8Array, after: number, signal: AbortSignal): Promise<void>;
  /** Anchors left in the hotkey's budget of this tempo, null while that is not known. */
  anchorsLeft(): number | null;
  /** Gossips the envelope of one of our statements. */
  announce(receiptDigest: string): Promise<void>;
  readonly attempt: AttemptDependencies;
  readonly measure: MeasureDependencies;
  readonly grade: GradeDependencies;
  readonly tell: (event: NodeEvent) => void;
}

/**
 * Does what the fold's state asks of this validator. Every duty is derived again from the state at each look, so there
 * is nothing to remember: after kill -9 the same state starts the same work.
 */
export class Keeper {
  readonly #options: KeeperOptions;
  readonly #dependencies: KeeperDependencies;
  /** Receipts gossiped by this process, of the open cohort alone. */
  #announced: { cohort: number; receipts: Set<string> } = { cohort: -1, receipts: new Set() };

  constructor(options: KeeperOptions, dependencies: KeeperDependencies) {
    this.#options = options;
    this.#dependencies = dependencies;
  }

  /**
   * Starts whatever is due, and ends what is not any more. Call after every step and every finished task, only while the
   * fold is at the head or waits for bytes just below it.
   * @param height the last finalized height known here, at or above the state's: what is anchored lands above it
   */
  look(state: FoldState, ledger: Ledger, height: number): void {
    // What has been missed for good is only known of heights that the fold has stepped.
    const duties = dutiesOf(state, this.#options.hotkey, state.height);
    const { cohort } = duties;
    this.#dropStale(cohort, height);
    this.#ready(duties, state, height);
    if (cohort === null) return;
    const affordable = affordablePlaces(cohort, this.#dependencies.anchorsLeft());
    for (const duty of cohort.places) this.#place(duty, cohort, ledger, height, affordable);
    if (cohort.opening_height === null) {
      // Our own bytes are here: regraded before the opening, they cost nothing of the few blocks of the ballots.
      for (const receipt of cohort.receipts) if (receipt.own) this.#grade(receipt, ledger);
    } else this.#ballots(cohort, ledger, height);
  }

  /** A measurement that can count no more would only keep the timing lock from one that can. */
  #dropStale(cohort: CohortDuties | null, height: number): void {
    const { tasks } = this.#dependencies;
    const wanted = new Set(cohort?.places.map((duty) => this.#workOf(duty, cohort, height)));
    for (const key of tasks.running()) {
      const isPlaceWork = [MEASURE, PREPARE, LAST_CALL].some((prefix) => key.startsWith(prefix));
      if (isPlaceWork && !wanted.has(key)) tasks.cancel(key);
    }
  }

  /** The key of the work that a place asks for; null where it only waits or anchors. */
  #workOf({ next, place }: PlaceDuty, cohort: CohortDuties, height: number): string | null {
    const key = `${cohort.index}:${place}`;
    if (next === 'receipt') return `${MEASURE}${key}`;
    if (next === 'attempt') return `${isLastCall(cohort, height) ? LAST_CALL : PREPARE}${key}`;
    return null;
  }

  #ready({ ready, cohort }: Duties, state: FoldState, height: number): void {
    const isOpen = cohort !== null;
    const left = this.#dependencies.anchorsLeft();
    const capacity = declaredCapacity(this.#options.capacity(state), ready, isOpen, left);
    const { arena_digest, ready_blocks } = state.consensus;
    const life = ready.expires_at === null ? 0 : ready.expires_at - height;
    const isStanding = ready.capacity === capacity && (capacity === 0 || life * RENEW_READY_PART > ready_blocks);
    if (isStanding || left === 0) return;
    this.#anchor('ready', { kind: 'ready', arena_digest, capacity }, ready.anchored_at ?? state.height, () => {
      this.#dependencies.tell({ type: 'state', state: 'READY', detail: `capacity ${capacity} anchored` });
    });
  }

  #place(duty: PlaceDuty, cohort: CohortDuties, ledger: Ledger, height: number, affordable: ReadonlySet<number>): void {
    const { store, tasks } = this.#dependencies;
    const stored = store.attempts.get(cohort.index, duty.place);
    switch (duty.next) {
      case 'attempt':
        if (stored === null) {
          const key = this.#workOf(duty, cohort, height) as string;
          tasks.start(key, (signal) => this.#prepare(duty, cohort, ledger, height, signal));
        } else if (height < cohort.show_deadline && affordable.has(duty.place)) {
          this.#anchorAttempt(duty, cohort, stored);
        }
        return;
      case 'await_seed':
        this.#markAnchored(duty, stored);
        return;
      case 'receipt':
        this.#markAnchored(duty, stored);
        if (height < cohort.measure_deadline) this.#receipt(duty, cohort, ledger, stored);
        return;
      case 'done':
        if (stored?.stage === 'measured') store.attempts.advance(cohort.index, duty.place, 'received');
        return;
      case 'missed':
        if (stored !== null && stored.stage !== 'abandoned' && stored.stage !== 'received') {
          store.attempts.advance(cohort.index, duty.place, 'abandoned');
        }
    }
  }

  async #prepare(
    duty: PlaceDuty,
    cohort: CohortDuties,
    ledger: Ledger,
    height: number,
    signal: AbortSignal,
  ): Promise<void> {
    await ensureAttempt(duty, cohort, ledger, height, this.#dependencies.attempt, signal);
  }

  #anchorAttempt(duty: PlaceDuty, cohort: CohortDuties, stored: Attempt): void {
    const { place } = duty;
    const anchor = { kind: 'attempt', cohort_index: cohort.index, place, digest: stored.attempt_digest } as const;
    const reservation = duty.reservation.reservation_id;
    this.#anchor(`attempt:${cohort.index}:${place}`, anchor, cohort.assignment_block, () => {
      this.#dependencies.tell({ type: 'attempt_anchored', place, reservation });
    });
  }

  #markAnchored(duty: PlaceDuty, stored: Attempt | null): void {
    if (stored?.stage !== 'planned' || duty.attempt === null) return;
    this.#dependencies.store.attempts.anchored(stored.cohort_index, stored.place, duty.attempt.height);
  }

  #receipt(duty: PlaceDuty, cohort: CohortDuties, ledger: Ledger, stored: Attempt | null): void {
    const { tasks, measure } = this.#dependencies;
    const { place, seed_hash, seed_height } = duty;
    // An attempt anchored from another data directory: its secret is not here, so nothing can be measured under it.
    if (stored === null || seed_hash === null || seed_height === null) return;
    if (stored.receipt_digest === null) {
      if (stored.attempt_digest !== duty.attempt?.digest) return;
      // One place at a time: the timing lock would make a second one wait anyway.
      if (tasks.running().some((key) => key.startsWith(MEASURE))) return;
      tasks.start(`${MEASURE}${cohort.index}:${place}`, (signal) =>
        measurePlace({ ...duty, seed_hash }, cohort, stored, ledger, measure, signal),
      );
      return;
    }
    const receipt = stored.receipt_digest;
    const anchor = { kind: 'receipt', cohort_index: cohort.index, place, digest: receipt } as const;
    this.#anchor(`receipt:${cohort.index}:${place}`, anchor, seed_height, () => {
      const reservation = duty.reservation.reservation_id;
      this.#dependencies.tell({ type: 'receipt_anchored', place, reservation, receipt });
    });
  }

  #ballots(cohort: CohortDuties, ledger: Ledger, height: number): void {
    const { store, tell } = this.#dependencies;
    this.#announce(cohort);
    const holds = new Set<number>();
    for (const receipt of cohort.receipts) {
      const { cohort_index: index, place, receipt_digest: digest } = receipt;
      if (store.gradings.get(index, place, digest) !== null) holds.add(place);
      else this.#grade(receipt, ledger);
    }
    const due = dueBallot(cohort, holds, height);
    if (due === null || cohort.ballot === null) return;
    const bitmap = BigInt(`0x${due.bitmap}`);
    const anchor = {
      kind: 'ballot',
      cohort_index: cohort.index,
      bitmap,
      previous: cohort.ballot.previous,
    } as const;
    this.#anchor(`ballot:${cohort.index}`, anchor, cohort.ballot.opening_height, () => {
      tell({ type: 'ballot_anchored', index: cohort.index, places: due.places });
    });
  }

  #grade(receipt: ReceiptDuty, ledger: Ledger): void {
    const { store, tasks, grade, tell } = this.#dependencies;
    const { cohort_index: index, place, receipt_digest: digest } = receipt;
    if (store.gradings.get(index, place, digest) !== null) return;
    tasks.start(`grade:${index}:${place}`, async (signal) => {
      const { graded, reason } = await gradeReceipt(receipt, ledger, grade, signal);
      const { reservation_id: reservation } = receipt.reservation;
      const { result, speedup } = graded;
      tell({ type: 'regraded', place, reservation, author: receipt.hotkey, result, reason, speedup });
    });
  }

  #announce(cohort: CohortDuties): void {
    if (this.#announced.cohort !== cohort.index) this.#announced = { cohort: cohort.index, receipts: new Set() };
    const { receipts } = this.#announced;
    for (const { own, place, receipt_digest: receipt } of cohort.receipts) {
      if (!own || receipts.has(receipt)) continue;
      this.#dependencies.tasks.start(`announce:${cohort.index}:${place}`, async () => {
        await this.#dependencies.announce(receipt);
        receipts.add(receipt);
        this.#dependencies.tell({ type: 'announced', place, receipt });
      });
    }
  }

  #anchor(key: string, anchor: Anchor, after: number, done: () => void): void {
    const { tasks } = this.#dependencies;
    tasks.start(`anchor:${key}`, async (signal) => {
      await this.#dependencies.anchor(encodeAnchor(anchor), after, signal);
      done();
    });
  }
}
