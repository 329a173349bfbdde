import type { Codec } from '@polkadot/types/types';
import { ChainError } from '../errors.ts';
import type { RpcClient } from './client.ts';
import { isHex } from './header.ts';
import { QUERY_KEYS } from './limits.ts';
import type { Runtime } from './runtime.ts';

/** One storage value to read: pallet and item as in the metadata, and the map keys. */
export interface StorageRequest {
  readonly pallet: string;
  readonly item: string;
  readonly args: readonly unknown[];
}

/** Reads of the state of one block, all through that block's own metadata. */
export interface StateReader {
  readonly hash: string;
  readonly runtime: Runtime;
  /** The values in the order asked, 512 per round trip; null where an optional one is absent. */
  query(requests: readonly StorageRequest[], signal?: AbortSignal): Promise<(Codec | null)[]>;
  get(pallet: string, item: string, args?: readonly unknown[], signal?: AbortSignal): Promise<Codec | null>;
}

export function stateReader(rpc: Pick<RpcClient, 'call'>, hash: string, runtime: Runtime): StateReader {
  const query = async (requests: readonly StorageRequest[], signal?: AbortSignal) => {
    const items = requests.map(({ pallet, item, args }) => {
      const entry = runtime.storage(pallet, item);
      return { entry, key: entry.key(args) };
    });
    const raw = await readStorage(
      rpc,
      hash,
      items.map(({ key }) => key),
      signal,
    );
    return items.map(({ entry, key }) => entry.decode(raw.get(key) as string | null));
  };
  return {
    hash,
    runtime,
    query,
    async get(pallet, item, args = [], signal) {
      return (await query([{ pallet, item, args }], signal))[0] as Codec | null;
    },
  };
}

/**
 * Raw values ("0x" + hex, null where nothing is stored) of storage keys at block `hash`. Every key is answered for:
 * an endpoint that leaves one out is RPC_MALFORMED, never "nothing there".
 */
export async function readStorage(
  rpc: Pick<RpcClient, 'call'>,
  hash: string,
  keys: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string | null>> {
  const values = new Map<string, string | null>();
  for (let start = 0; start < keys.length; start += QUERY_KEYS) {
    const page = keys.slice(start, start + QUERY_KEYS);
    const answer = await rpc.call('state_queryStorageAt', [page, hash], { signal });
    for (const [key, value] of changesOf(answer, hash)) values.set(key, value);
    for (const key of page) if (!values.has(key)) throw malformed('changes');
  }
  return values;
}

function* changesOf(answer: unknown, hash: string): Iterable<[string, string | null]> {
  if (!Array.isArray(answer) || answer.length !== 1) throw malformed('length');
  const { block, changes } = (answer[0] ?? {}) as Record<string, unknown>;
  if (block !== hash) throw malformed('block');
  if (!Array.isArray(changes)) throw malformed('changes');
  for (const change of changes as unknown[]) {
    if (!Array.isArray(change) || change.length !== 2) throw malformed('changes');
    const [key, value] = change as unknown[];
    if (!isHex(key) || (value !== null && !isHex(value))) throw malformed('changes');
    yield [key, value];
  }
}

function malformed(field: string): ChainError {
  return new ChainError('RPC_MALFORMED', undefined, { field: `state_queryStorageAt.${field}` });
}
