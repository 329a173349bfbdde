export { badFormat, PoolError, refused } from './errors.ts';
export { type PoolEntry, TransactionPool } from './pool.ts';
export { type TransactionStatus, TransactionWatchers } from './watchers.ts';
