import { named, u16, u64 } from '../../scale/index.ts';
import { failWith } from '../pallet.ts';
import { accountId } from '../types/account.ts';

export const COMMITMENTS_INDEX = 18;

export const commitmentsEvents = {
  Commitment: { pallet: COMMITMENTS_INDEX, index: 0, fields: named({ netuid: u16, who: accountId }) },
  TimelockCommitment: {
    pallet: COMMITMENTS_INDEX,
    index: 1,
    fields: named({ netuid: u16, who: accountId, revealRound: u64 }),
  },
  CommitmentRevealed: { pallet: COMMITMENTS_INDEX, index: 2, fields: named({ netuid: u16, who: accountId }) },
};

export const commitmentsErrors = {
  TooManyFieldsInCommitmentInfo: 0,
  AccountNotAllowedCommit: 1,
  SpaceLimitExceeded: 2,
};
export const failCommitments = failWith(COMMITMENTS_INDEX, commitmentsErrors);
