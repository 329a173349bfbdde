export { authorMethods } from './author.ts';
export { chainMethods, type HeadGate } from './chain.ts';
export { invalidParams, RpcError } from './errors.ts';
export type { Method, MethodTable, Params, ServedChain } from './method.ts';
export { RpcServer } from './server.ts';
export { stateMethods } from './state.ts';
export { systemMethods } from './system.ts';
