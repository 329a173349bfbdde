export { blake2128Concat, entryPrefix, type Hasher, identity, twox64Concat } from './hasher.ts';
export { defaulted, hashed, type KeyPart, optional, type StorageItem } from './item.ts';
export { EMPTY_STATE, Overlay, type StateChange, type StateReader, type StateWriter } from './state.ts';
