import type { EventRecord } from '@polkadot/types/interfaces';
import { ChainError } from '../errors.ts';
import { connectRpc, type RpcClient, type RpcDependencies, type RpcOptions } from './client.ts';
import { type FinalizedHead, isBlockHash, parseHeader } from './header.ts';
import type { Runtime } from './runtime.ts';
import { Runtimes } from './runtimes.ts';
import { readStorage, type StateReader, stateReader } from './state.ts';

/** `System.Events`: twox128("System") and twox128("Events"), the same in every runtime. */
const EVENTS_KEY = '0x26aa394eea5630e07c48ae0c9558cef780d41e5e16056765bc8461851072c9d7';

/** Reads of blocks and states, each at one block hash. */
export interface Chain {
  readonly rpc: RpcClient;
  readonly runtimes: Runtimes;
  /** The latest finalized head. */
  finalizedHead(signal?: AbortSignal): Promise<FinalizedHead>;
  /** The header with this hash, hashed again here; BLOCK_UNKNOWN if no endpoint has it. */
  header(hash: string, signal?: AbortSignal): Promise<FinalizedHead>;
  /** The endpoint's canonical hash at a height, null above its best block: trust it only below a checked head. */
  blockHash(height: number, signal?: AbortSignal): Promise<string | null>;
  /** Reads the state after block `hash`, decoded with that block's metadata. */
  stateAt(hash: string, signal?: AbortSignal): Promise<StateReader>;
  /** The events of a block, decoded with its parent's metadata (the runtime that made them). */
  eventsOf(head: FinalizedHead, signal?: AbortSignal): Promise<readonly EventRecord[]>;
  runtimeAt(hash: string, signal?: AbortSignal): Promise<Runtime>;
  close(): Promise<void>;
}

/** `connectRpc` with the typed reads on top; errors as there. */
export async function connectChain(
  options: RpcOptions,
  dependencies: RpcDependencies,
  signal?: AbortSignal,
): Promise<Chain> {
  return chainOver(await connectRpc(options, dependencies, signal));
}

export function chainOver(rpc: RpcClient): Chain {
  const runtimes = new Runtimes(rpc);
  const header = async (hash: string, signal?: AbortSignal) => {
    const value = await rpc.call('chain_getHeader', [hash], { signal });
    if (value === null) throw new ChainError('BLOCK_UNKNOWN', undefined, { field: hash });
    return parseHeader(value, hash);
  };
  return {
    rpc,
    runtimes,
    header,
    async finalizedHead(signal) {
      const hash = await rpc.call('chain_getFinalizedHead', [], { signal });
      if (!isBlockHash(hash)) throw new ChainError('RPC_MALFORMED', undefined, { field: 'chain_getFinalizedHead' });
      return header(hash, signal);
    },
    async blockHash(height, signal) {
      const hash = await rpc.call('chain_getBlockHash', [height], { signal });
      if (hash !== null && !isBlockHash(hash)) {
        throw new ChainError('RPC_MALFORMED', undefined, { field: 'chain_getBlockHash' });
      }
      return hash;
    },
    async stateAt(hash, signal) {
      return stateReader(rpc, hash, await runtimes.at(hash, signal));
    },
    async eventsOf({ height, hash, parentHash }, signal) {
      const runtime = await runtimes.at(height === 0 ? hash : parentHash, signal);
      const raw = await readStorage(rpc, hash, [EVENTS_KEY], signal);
      return runtime.events(raw.get(EVENTS_KEY) as string | null);
    },
    runtimeAt: (hash, signal) => runtimes.at(hash, signal),
    close: () => rpc.close(),
  };
}
