import { named, struct, u32, u64, u128, type ValueOf, wrapped } from '../../scale/index.ts';
import { blake2128Concat, defaulted, hashed, optional, twox64Concat } from '../../storage/index.ts';
import { accountId, h256 } from '../types/account.ts';

const extraFlags = struct('pallet_balances::types::ExtraFlags', wrapped(u128));
const accountData = struct(
  'pallet_balances::types::AccountData',
  named({ free: u64, reserved: u64, frozen: u64, flags: extraFlags }),
  [{ name: 'Balance', type: u64.shape }],
);
const accountInfo = struct(
  'frame_system::AccountInfo',
  named({ nonce: u32, consumers: u32, providers: u32, sufficients: u32, data: accountData }),
  [
    { name: 'Nonce', type: u32.shape },
    { name: 'AccountData', type: accountData.shape },
  ],
);
export type AccountInfo = ValueOf<typeof accountInfo>;

/** Bit 127 of the flags: the account follows the newer rules of pallet-balances. */
const NEW_LOGIC = 1n << 127n;
const NO_ACCOUNT: AccountInfo = {
  nonce: 0,
  consumers: 0,
  providers: 0,
  sufficients: 0,
  data: { free: 0n, reserved: 0n, frozen: 0n, flags: NEW_LOGIC },
};

export const ZERO_32 = new Uint8Array(32);

export const account = defaulted('System', 'Account', [hashed(blake2128Concat, accountId)], accountInfo, NO_ACCOUNT);
export const extrinsicCount = optional('System', 'ExtrinsicCount', [], u32);
export const blockHash = defaulted('System', 'BlockHash', [hashed(twox64Concat, u32)], h256, ZERO_32);
export const number = defaulted('System', 'Number', [], u32, 0);
export const parentHash = defaulted('System', 'ParentHash', [], h256, ZERO_32);
export const eventCount = defaulted('System', 'EventCount', [], u32, 0);

export function endowed(free: bigint): AccountInfo {
  return { ...NO_ACCOUNT, providers: 1, data: { ...NO_ACCOUNT.data, free } };
}
