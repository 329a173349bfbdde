export { type Chain, chainOver, connectChain } from './chain.ts';
export { RemoteRefusal } from './classify.ts';
export type { CallOptions, RpcClient, RpcDependencies, RpcEvent, RpcHealth, RpcOptions } from './client.ts';
export { type Clock, orAbort, systemClock, withDeadline } from './clock.ts';
export { type FinalizedHead, isBlockHash, isHex } from './header.ts';
export { DEFAULT_DEADLINES, type Deadlines } from './limits.ts';
export { buildRuntime, type Runtime, type StorageItem } from './runtime.ts';
export type { StateReader, StorageRequest } from './state.ts';
export {
  accountOf,
  bytesOf,
  flagOf,
  integerOf,
  itemsOf,
  memberOf,
  SS58_PREFIX,
  safeIntegerOf,
  variantOf,
} from './values.ts';
