export { Chain, type ChainListener } from './chain.ts';
export { type ChainIndex, openChain } from './open.ts';
export { Producer } from './producer.ts';
