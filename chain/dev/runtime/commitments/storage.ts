import {
  boundedVec,
  bytes,
  named,
  struct,
  treeSet,
  tuple,
  u16,
  u32,
  u64,
  type ValueOf,
  vec,
} from '../../scale/index.ts';
import { defaulted, hashed, identity, optional, twox64Concat } from '../../storage/index.ts';
import { accountId, type Bytes32 } from '../types/account.ts';
import { commitmentData } from './data.ts';

export const MAX_FIELDS = 3;
/** MaxSpace before anyone changes it: bytes a hotkey may commit in one epoch. */
export const MAX_SPACE_BYTES = 3100;

export const commitmentInfo = struct(
  'pallet_commitments::types::CommitmentInfo',
  named({ fields: boundedVec(commitmentData, MAX_FIELDS) }),
  [{ name: 'FieldLimit', type: null }],
);
export type CommitmentInfo = ValueOf<typeof commitmentInfo>;

const registration = struct(
  'pallet_commitments::types::Registration',
  named({ deposit: u64, block: u32, info: commitmentInfo }),
  [
    { name: 'Balance', type: u64.shape },
    { name: 'MaxFields', type: null },
    { name: 'BlockNumber', type: u32.shape },
  ],
);
const usageTracker = struct('pallet_commitments::types::UsageTracker', named({ lastEpoch: u64, usedSpace: u64 }));

const PALLET = 'Commitments';
const bySubnetAndHotkey = [hashed(identity, u16), hashed(twox64Concat, accountId)] as const;
const NOTHING_LOCKED: readonly (readonly [number, Bytes32])[] = [];

export const timelockedIndex = defaulted(
  PALLET,
  'TimelockedIndex',
  [],
  treeSet(tuple(u16, accountId)),
  NOTHING_LOCKED as readonly [number, Bytes32][],
);
export const commitmentOf = optional(PALLET, 'CommitmentOf', bySubnetAndHotkey, registration);
export const lastCommitment = optional(PALLET, 'LastCommitment', bySubnetAndHotkey, u32);
export const revealedCommitments = optional(PALLET, 'RevealedCommitments', bySubnetAndHotkey, vec(tuple(bytes, u64)));
export const usedSpaceOf = optional(PALLET, 'UsedSpaceOf', bySubnetAndHotkey, usageTracker);
export const maxSpace = defaulted(PALLET, 'MaxSpace', [], u32, MAX_SPACE_BYTES);

/** Enters or removes one pair of the set, keeping its order: netuid, then account bytes. */
export function withTimelocked(
  set: readonly (readonly [number, Bytes32])[],
  netuid: number,
  who: Bytes32,
  present: boolean,
): [number, Bytes32][] {
  const others = set.filter(([n, account]) => n !== netuid || Buffer.compare(account, who) !== 0);
  const all = present ? [...others, [netuid, who] as const] : others;
  return all
    .map(([n, account]): [number, Bytes32] => [n, account])
    .sort(([n, a], [m, b]) => n - m || Buffer.compare(a, b));
}
