import { ChainError } from '../errors.ts';
import { REMOTE_TEXT_MAX } from './limits.ts';

/** The `error` member of a JSON-RPC answer. */
export interface RemoteError {
  readonly code: number;
  readonly message: string;
  readonly data: string;
}

/** An endpoint's refusal that keeps the JSON-RPC code: the signer tells pool errors apart by it. */
export class RemoteRefusal extends ChainError {
  readonly remote: RemoteError;

  constructor(code: 'RPC_REFUSED' | 'ARCHIVE_NEEDED' | 'BLOCK_UNKNOWN', method: string, remote: RemoteError) {
    super(code, `${remote.code} ${remote.message}${remote.data === '' ? '' : `: ${remote.data}`}`, { field: method });
    this.remote = remote;
  }
}

/** How Substrate says that a state was pruned, and that it never had the block: only its text tells them apart. */
const PRUNED = /state already discarded|state (?:is )?pruned|missing trie|unable to (?:find|load) state/i;
const UNKNOWN_BLOCK = /unknown ?block|header was not found|block not found|unable to find block/i;

/** The typed error of a JSON-RPC error object; a malformed one is RPC_MALFORMED. */
export function remoteError(method: string, error: unknown): ChainError {
  if (typeof error !== 'object' || error === null) return new ChainError('RPC_MALFORMED', undefined, { field: method });
  const { code, message, data } = error as Record<string, unknown>;
  if (typeof code !== 'number' || typeof message !== 'string') {
    return new ChainError('RPC_MALFORMED', undefined, { field: method });
  }
  const remote = { code, message: clip(message), data: clip(typeof data === 'string' ? data : '') };
  const text = `${remote.message} ${remote.data}`;
  if (PRUNED.test(text)) return new RemoteRefusal('ARCHIVE_NEEDED', method, remote);
  if (UNKNOWN_BLOCK.test(text)) return new RemoteRefusal('BLOCK_UNKNOWN', method, remote);
  return new RemoteRefusal('RPC_REFUSED', method, remote);
}

/** Bounded and without control characters: it may end in a log. */
function clip(text: string): string {
  return text.slice(0, REMOTE_TEXT_MAX).replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
}
