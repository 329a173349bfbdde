import { ChainError } from '../errors.ts';
import { UIDS_MAX, WEIGHT_MAX } from './limits.ts';

/** What set_weights takes: uids ascending, values 1..65535, the largest of them 65535. */
export interface WeightsVector {
  readonly uids: readonly number[];
  readonly values: readonly number[];
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
