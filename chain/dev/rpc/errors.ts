/** A JSON-RPC error answer. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: string | null;

  constructor(code: number, message: string, data: string | null = null) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const parseError = (): RpcError => new RpcError(-32_700, 'Parse error');
export const invalidRequest = (): RpcError => new RpcError(-32_600, 'Invalid request');
export const methodNotFound = (): RpcError => new RpcError(-32_601, 'Method not found');
export const invalidParams = (what: string): RpcError => new RpcError(-32_602, `Invalid params: ${what}`);
export const internalError = (): RpcError => new RpcError(-32_603, 'Internal error');
export const tooManySubscriptions = (): RpcError => new RpcError(-32_006, 'Too many subscriptions on the connection');

/** What Substrate answers for state of a block it does not know, or whose state it has pruned. */
export const unknownBlock = (hash: string): RpcError =>
  new RpcError(4003, `Client error: UnknownBlock: Header was not found in the database: ${hash}`);
export const stateDiscarded = (hash: string): RpcError =>
  new RpcError(4003, `Client error: UnknownBlock: State already discarded for ${hash}`);
