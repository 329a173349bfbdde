import { named, u16, u32, u64 } from '../../scale/index.ts';
import { type BlockContext, constant, type Pallet, signedCall } from '../pallet.ts';
import { epochIndex, isRegistered } from '../subtensor/subnet.ts';
import type { Bytes32 } from '../types/account.ts';
import { spaceOf } from './data.ts';
import { COMMITMENTS_INDEX, commitmentsErrors, commitmentsEvents, failCommitments as fail } from './events.ts';
import { revealTimelocked } from './reveal.ts';
import * as storage from './storage.ts';

/** Every call is charged at least this many bytes. */
const MIN_CHARGE_BYTES = 100;

const setCommitment = signedCall(
  { index: 0, class: 'Operational', paysFee: 'No', fields: named({ netuid: u16, info: storage.commitmentInfo }) },
  (context, who, { netuid, info }) => {
    const { state, number } = context;
    if (!isRegistered(state, netuid, who)) fail('AccountNotAllowedCommit');
    chargeSpace(context, netuid, who, info);
    storage.commitmentOf.put(state, [netuid, who], { deposit: 0n, block: number, info });
    storage.lastCommitment.put(state, [netuid, who], number);

    const locked = info.fields.find((field) => field.kind === 'TimelockEncrypted');
    const index = storage.timelockedIndex.get(state);
    storage.timelockedIndex.put(state, [], storage.withTimelocked(index, netuid, who, locked !== undefined));
    if (locked === undefined) context.deposit(commitmentsEvents.Commitment, { netuid, who });
    else {
      context.deposit(commitmentsEvents.TimelockCommitment, { netuid, who, revealRound: locked.revealRound });
    }
  },
);

/** MaxSpace bytes a hotkey and epoch; a new epoch starts from nothing. */
function chargeSpace(
  { state, number }: BlockContext,
  netuid: number,
  who: Bytes32,
  info: storage.CommitmentInfo,
): void {
  const asked = info.fields.reduce((sum, field) => sum + spaceOf(field), 0);
  const epoch = epochIndex(state, netuid, number);
  const usage = storage.usedSpaceOf.get(state, netuid, who);
  const used = usage?.lastEpoch === epoch ? usage.usedSpace : 0n;
  const total = used + BigInt(Math.max(asked, MIN_CHARGE_BYTES));
  if (total > BigInt(storage.maxSpace.get(state))) fail('SpaceLimitExceeded');
  storage.usedSpaceOf.put(state, [netuid, who], { lastEpoch: epoch, usedSpace: total });
}

export const commitmentsPallet: Pallet = {
  name: 'Commitments',
  index: COMMITMENTS_INDEX,
  path: 'pallet_commitments',
  storage: [
    storage.timelockedIndex,
    storage.commitmentOf,
    storage.lastCommitment,
    storage.revealedCommitments,
    storage.usedSpaceOf,
    storage.maxSpace,
  ],
  calls: { set_commitment: setCommitment },
  events: commitmentsEvents,
  errors: commitmentsErrors,
  constants: [
    constant('MaxFields', u32, storage.MAX_FIELDS),
    constant('InitialDeposit', u64, 0n),
    constant('FieldDeposit', u64, 0n),
  ],
  onInitialize: revealTimelocked,
};
