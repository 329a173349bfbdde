import { ChainError } from '../errors.ts';
import type { SubmitResult } from '../signer/index.ts';
import { RETRY_BLOCKS, SIGN_ATTEMPTS_MAX } from './limits.ts';
import { checkVector, sameVector, type WeightsVector } from './vector.ts';

/**
 * intent: this vector and no other will be signed for this epoch height. pending: an extrinsic may be under way.
 * confirmed: finalized state holds it. held: given up, and why.
 */
export type WeightsState = 'intent' | 'pending' | 'confirmed' | 'held';

/** One row of the journal, one per epoch height; what is durable is all there is to resume from. */
export interface WeightsRow {
  /** The height w of `peer-protocol.md` section 11. */
  readonly epoch_height: number;
  readonly uids: readonly number[];
  readonly values: readonly number[];
  /** The hotkey of each uid at w, in the same order. */
  readonly hotkeys: readonly string[];
  readonly state: WeightsState;
  /** The first height at which an extrinsic of this row can be included. */
  readonly intent_height: number;
  readonly attempts: number;
  /** The extrinsic signed last can be in no block from this height on; null before the first. */
  readonly death_height: number | null;
  /** No signing below this finalized height. */
  readonly retry_height: number;
  /** The finalized height at which the proof was read; null unless confirmed. */
  readonly confirmed_height: number | null;
  /** Why it is held, or the last refusal; null if there is none. */
  readonly reason: string | null;
}

/**
 * What another part of the node stores; `save` returns only when the row is durable. States go intent -> pending ->
 * intent | confirmed | held, or from intent to confirmed or held; vector, hotkeys and intent_height never change.
 */
export interface WeightsJournalStore {
  load(epochHeight: number): WeightsRow | null;
  /** The row of the highest epoch height. */
  latest(): WeightsRow | null;
  /** Inserts or replaces the row of its epoch height. */
  save(row: WeightsRow): void;
}

export interface WeightsTarget extends WeightsVector {
  readonly epoch_height: number;
  readonly hotkeys: readonly string[];
}

/** What finalized state says at one height, as far as weights are concerned. */
export interface WeightsView {
  readonly height: number;
  readonly commitReveal: boolean;
  /** This node's uid, null if its hotkey is not registered. */
  readonly ownUid: number | null;
  /** LastUpdate of this node's uid: the block of its last set_weights, 0 for never. */
  readonly lastUpdate: number;
  /** WeightsSetRateLimit in blocks. */
  readonly rateLimit: number;
  /** Weights of this node's uid, by ascending uid. */
  readonly stored: WeightsVector;
  /** The hotkeys that now have the row's uids, in its order; null for a uid nobody has. */
  readonly hotkeys: readonly (string | null)[];
}

export type WeightsAction =
  | { readonly kind: 'done' }
  | { readonly kind: 'confirm' }
  | { readonly kind: 'hold'; readonly reason: string }
  | { readonly kind: 'wait'; readonly untilHeight: number }
  | { readonly kind: 'sign' };

/**
 * The row to work on for a target: the one journaled, or a new intent after finalized height `height`. WEIGHTS_CONFLICT
 * if another vector is journaled for this epoch height, WEIGHTS_STALE if a later one is, WEIGHTS_VECTOR.
 */
export function intentFor(
  target: WeightsTarget,
  journaled: { readonly same: WeightsRow | null; readonly latest: WeightsRow | null },
  height: number,
): WeightsRow {
  checkVector(target);
  if (target.hotkeys.length !== target.uids.length) {
    throw new ChainError('WEIGHTS_VECTOR', undefined, { field: 'hotkeys' });
  }
  const { same, latest } = journaled;
  if (same !== null) {
    const equal = sameVector(same, target) && same.hotkeys.every((hotkey, i) => hotkey === target.hotkeys[i]);
    if (!equal) throw new ChainError('WEIGHTS_CONFLICT', undefined, { field: `epoch_height ${target.epoch_height}` });
    return same;
  }
  if (latest !== null && latest.epoch_height > target.epoch_height) throw new ChainError('WEIGHTS_STALE');
  return {
    epoch_height: target.epoch_height,
    uids: target.uids,
    values: target.values,
    hotkeys: target.hotkeys,
    state: 'intent',
    intent_height: height + 1,
    attempts: 0,
    death_height: null,
    retry_height: 0,
    confirmed_height: null,
    reason: null,
  };
}

/** The only proof of success: finalized Weights equal to the vector, set at or after the intent. */
export function isProven(row: WeightsRow, { stored, lastUpdate, ownUid }: WeightsView): boolean {
  return ownUid !== null && lastUpdate >= row.intent_height && sameVector(stored, row);
}

/** What to do with a row. WEIGHTS_COMMIT_REVEAL if the chain would refuse set_weights altogether. */
export function nextAction(row: WeightsRow, view: WeightsView): WeightsAction {
  if (row.state === 'confirmed' || row.state === 'held') return { kind: 'done' };
  if (isProven(row, view)) return { kind: 'confirm' };
  const mayStillCome = row.death_height !== null && view.height < row.death_height - 1;
  if (row.state === 'pending' && mayStillCome) return { kind: 'wait', untilHeight: (row.death_height as number) - 1 };
  if (view.commitReveal) throw new ChainError('WEIGHTS_COMMIT_REVEAL');
  if (view.ownUid === null) return { kind: 'hold', reason: 'hotkey_not_registered' };
  // A uid that changed hands would give the share to whoever came after.
  if (row.hotkeys.some((hotkey, i) => view.hotkeys[i] !== hotkey)) return { kind: 'hold', reason: 'uid_reassigned' };
  if (row.attempts >= SIGN_ATTEMPTS_MAX) return { kind: 'hold', reason: row.reason ?? 'attempts_exhausted' };
  const free = view.lastUpdate === 0 ? 0 : view.lastUpdate + view.rateLimit - 1;
  const untilHeight = Math.max(free, row.retry_height);
  return view.height < untilHeight ? { kind: 'wait', untilHeight } : { kind: 'sign' };
}

/**
 * What becomes of a row that a newer epoch height replaces; null while its extrinsic may still be included, because
 * then it could overwrite the newer vector.
 */
export function supersede(row: WeightsRow, view: WeightsView): WeightsRow | null {
  if (row.state === 'confirmed' || row.state === 'held') return row;
  if (isProven(row, view)) return confirmed(row, view.height);
  if (row.state === 'pending' && row.death_height !== null && view.height < row.death_height - 1) return null;
  return held(row, 'superseded');
}

export function pending(row: WeightsRow, deathHeight: number): WeightsRow {
  return { ...row, state: 'pending', attempts: row.attempts + 1, death_height: deathHeight };
}

export function confirmed(row: WeightsRow, height: number): WeightsRow {
  return { ...row, state: 'confirmed', confirmed_height: height, reason: null };
}

export function held(row: WeightsRow, reason: string): WeightsRow {
  return { ...row, state: 'held', reason };
}

/** The row after the signer's answer; `height` is the finalized height now. */
export function afterSubmit(row: WeightsRow, result: SubmitResult, height: number): WeightsRow {
  switch (result.kind) {
    case 'finalized':
      return confirmed(row, result.height);
    case 'rejected':
      return { ...row, state: 'intent', retry_height: height + RETRY_BLOCKS, reason: result.error };
    case 'unknown':
      return result.reason === 'pending'
        ? row
        : { ...row, state: 'intent', retry_height: height + RETRY_BLOCKS, reason: result.reason };
  }
}
