import { u16, unnamed } from '../../scale/index.ts';
import { failWith } from '../pallet.ts';
import { accountId } from '../types/account.ts';

export const SUBTENSOR_INDEX = 7;

export const subtensorEvents = {
  WeightsSet: { pallet: SUBTENSOR_INDEX, index: 5, fields: unnamed(u16, u16) },
  NeuronRegistered: { pallet: SUBTENSOR_INDEX, index: 6, fields: unnamed(u16, u16, accountId) },
  AxonServed: { pallet: SUBTENSOR_INDEX, index: 28, fields: unnamed(u16, accountId) },
};

export const subtensorErrors = {
  InvalidIpType: 1,
  InvalidIpAddress: 2,
  InvalidPort: 3,
  HotKeyNotRegisteredInSubNet: 4,
  HotKeyNotRegisteredInNetwork: 6,
  NotEnoughStakeToSetWeights: 10,
  NeuronNoValidatorPermit: 15,
  WeightVecNotEqualSize: 16,
  DuplicateUids: 17,
  UidVecContainInvalidOne: 18,
  WeightVecLengthIsLow: 19,
  MaxWeightExceeded: 26,
  SettingWeightsTooFast: 28,
  IncorrectWeightVersionKey: 29,
  ServingRateLimitExceeded: 30,
  UidsLengthExceedUidsInSubNet: 31,
  CommitRevealEnabled: 52,
  MechanismDoesNotExist: 73,
  SubnetNotExists: 75,
};
export const failSubtensor = failWith(SUBTENSOR_INDEX, subtensorErrors);
