import { ChainError } from '../errors.ts';
import { UIDS_MAX, WEIGHT_MAX } from './limits.ts';

/** What set_weights takes: uids ascending, values 1..65535, the largest of them 65535. */
export interface WeightsVector {
  readonly uids: readonly number[];
  readonly values: readonly number[];
}

/** A hotkey's share in parts per million. */
export interface Share {
  readonly hotkey: string;
  readonly ppm: number;
}

export interface Member {
  readonly uid: number;
  readonly hotkey: string;
}

/**
 * The vector of `names.md` (Weights) from the shares of an epoch height and the members at it. Null if a hotkey with a
 * share has no uid: that can only be the subnet owner's, and the state is NO_BURN_TARGET. WEIGHTS_VECTOR if the shares
 * are not positive in sum.
 */
export function weightsVector(shares: readonly Share[], members: readonly Member[]): WeightsVector | null {
  const uidOf = new Map(members.map(({ uid, hotkey }) => [hotkey, uid]));
  const byUid = new Map<number, number>();
  for (const { hotkey, ppm } of shares) {
    if (!Number.isSafeInteger(ppm) || ppm < 0 || ppm > 1_000_000) throw malformed('ppm');
    if (ppm === 0) continue;
    const uid = uidOf.get(hotkey);
    if (uid === undefined) return null;
    byUid.set(uid, (byUid.get(uid) ?? 0) + ppm);
  }
  const largest = Math.max(0, ...byUid.values());
  if (largest === 0) throw malformed('shares');
  const rows = [...byUid]
    .map(([uid, ppm]): [number, number] => [uid, Math.floor((ppm * WEIGHT_MAX) / largest)])
    .filter(([, value]) => value > 0)
    .sort(([a], [b]) => a - b);
  return { uids: rows.map(([uid]) => uid), values: rows.map(([, value]) => value) };
}

/** WEIGHTS_VECTOR unless the vector is one that the chain stores unchanged: its largest value is 65535 already. */
export function checkVector({ uids, values }: WeightsVector): void {
  if (uids.length === 0 || uids.length > UIDS_MAX || uids.length !== values.length) throw malformed('length');
  uids.forEach((uid, i) => {
    if (!Number.isInteger(uid) || uid >= UIDS_MAX || uid <= (uids[i - 1] ?? -1)) throw malformed(`uids[${i}]`);
  });
  values.forEach((value, i) => {
    if (!Number.isInteger(value) || value < 1 || value > WEIGHT_MAX) throw malformed(`values[${i}]`);
  });
  if (Math.max(...values) !== WEIGHT_MAX) throw malformed('values');
}

export function sameVector(a: WeightsVector, b: WeightsVector): boolean {
  const same = (left: readonly number[], right: readonly number[]) =>
    left.length === right.length && left.every((value, i) => value === right[i]);
  return same(a.uids, b.uids) && same(a.values, b.values);
}

function malformed(field: string): ChainError {
  return new ChainError('WEIGHTS_VECTOR', undefined, { field });
}
