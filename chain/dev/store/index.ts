export { ChainStore } from './store.ts';
