import { blake2AsU8a, xxhashAsU8a } from '@polkadot/util-crypto';
import type { HasherName } from '../metadata/index.ts';

/** A storage hasher that keeps the key's bytes, so that keys can be read back from storage. */
export interface Hasher {
  readonly name: HasherName;
  hash(key: Uint8Array): Uint8Array;
}

export const identity: Hasher = { name: 'Identity', hash: (key) => key };
export const twox64Concat: Hasher = {
  name: 'Twox64Concat',
  hash: (key) => Buffer.concat([xxhashAsU8a(key, 64), key]),
};
export const blake2128Concat: Hasher = {
  name: 'Blake2_128Concat',
  hash: (key) => Buffer.concat([blake2AsU8a(key, 128), key]),
};

/** Twox128(pallet) then Twox128(entry): where an entry's keys begin. */
export function entryPrefix(pallet: string, entry: string): Uint8Array {
  return Buffer.concat([xxhashAsU8a(pallet, 128), xxhashAsU8a(entry, 128)]);
}
