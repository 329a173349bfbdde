import { ChainError } from '../errors.ts';
import { type Clock, withDeadline } from './clock.ts';
import type { Connection, OpenConnection } from './connection.ts';
import { isBlockHash } from './header.ts';
import type { Deadlines } from './limits.ts';

/** A connection whose chain has been checked. */
export interface Link {
  /** Index in the configured list. */
  readonly endpoint: number;
  readonly connection: Connection;
  readonly genesisHash: string;
  /** Clock milliseconds at which it came up. */
  readonly since: number;
}

export interface LinkOptions {
  readonly url: string;
  readonly endpoint: number;
  /** What the chain's genesis hash has to be; null on the first connection without a pin. */
  readonly genesisHash: string | null;
  readonly deadlines: Deadlines;
  readonly clock: Clock;
  readonly open: OpenConnection;
  /** Called for every finalized head the endpoint announces: a hint to look, not a fact. */
  readonly onFinalized: () => void;
  readonly signal: AbortSignal;
}

/** Connects, checks the genesis hash and subscribes, within `connectMs`. WRONG_GENESIS, TRANSPORT, CALL_DEADLINE. */
export async function openLink(options: LinkOptions): Promise<Link> {
  const { clock, deadlines, signal } = options;
  const late = () => new ChainError('CALL_DEADLINE', undefined, { field: 'connect' });
  return withDeadline({ ms: deadlines.connectMs, clock, signal, late }, async (both) => {
    const connection = await options.open(options.url, both);
    try {
      const genesisHash = await connection.request('chain_getBlockHash', [0], both);
      if (!isBlockHash(genesisHash)) throw new ChainError('RPC_MALFORMED', undefined, { field: 'chain_getBlockHash' });
      if (options.genesisHash !== null && genesisHash !== options.genesisHash) {
        throw new ChainError('WRONG_GENESIS', `expected ${options.genesisHash}, got ${genesisHash}`);
      }
      await connection.subscribe('chain_subscribeFinalizedHeads', options.onFinalized, both);
      return { endpoint: options.endpoint, connection, genesisHash, since: clock.now() };
    } catch (error) {
      connection.close();
      throw error;
    }
  });
}
