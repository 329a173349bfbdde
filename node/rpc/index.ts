export { callStatus } from './client.ts';
export { STATUS_ERRORS, StatusError, type StatusErrorCode } from './errors.ts';
export { type StatusServer, type StatusServerOptions, startStatusServer } from './server.ts';
export * from './types.ts';
