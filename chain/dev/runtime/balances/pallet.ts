import { u64 } from '../../scale/index.ts';
import { defaulted } from '../../storage/index.ts';
import { constant, type Pallet } from '../pallet.ts';

export const totalIssuance = defaulted('Balances', 'TotalIssuance', [], u64, 0n);

const EXISTENTIAL_DEPOSIT_RAO = 500n;

/** Balances exist from genesis and do not move: fees are not modelled and transfers are not offered. */
export const balancesPallet: Pallet = {
  name: 'Balances',
  index: 5,
  path: 'pallet_balances',
  storage: [totalIssuance],
  calls: {},
  events: {},
  errors: {},
  constants: [constant('ExistentialDeposit', u64, EXISTENTIAL_DEPOSIT_RAO)],
};
