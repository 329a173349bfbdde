import type { DispatchError, EventRecord } from '@polkadot/types/interfaces';
import { ChainError } from '../errors.ts';
import type { Chain, FinalizedHead, Runtime } from '../rpc/index.ts';

export type Inclusion =
  | { readonly kind: 'absent' }
  | { readonly kind: 'succeeded' }
  /** `pallet.ErrorName` of a module error, the error's kind otherwise. */
  | { readonly kind: 'failed'; readonly error: string };

/** What became of an extrinsic in one finalized block. */
export async function inclusionIn(
  chain: Chain,
  block: FinalizedHead,
  extrinsicHex: string,
  signal?: AbortSignal,
): Promise<Inclusion> {
  const index = (await extrinsicsOf(chain, block.hash, signal)).indexOf(extrinsicHex);
  if (index < 0) return { kind: 'absent' };
  const events = await chain.eventsOf(block, signal);
  const failure = events.find((record) => isFailureOf(record, index));
  if (failure === undefined) return { kind: 'succeeded' };
  const runtime = await chain.runtimeAt(block.parentHash, signal);
  return { kind: 'failed', error: errorName(runtime, failure.event.data[0] as unknown as DispatchError) };
}

function isFailureOf({ phase, event }: EventRecord, index: number): boolean {
  return (
    phase.isApplyExtrinsic &&
    phase.asApplyExtrinsic.toNumber() === index &&
    event.section === 'system' &&
    event.method === 'ExtrinsicFailed'
  );
}

function errorName({ registry }: Runtime, error: DispatchError): string {
  if (!error.isModule) return error.type;
  try {
    const { section, name } = registry.findMetaError(error.asModule);
    return `${section}.${name}`;
  } catch {
    return `module.${error.asModule.index.toString()}`;
  }
}

async function extrinsicsOf(chain: Chain, hash: string, signal?: AbortSignal): Promise<readonly unknown[]> {
  const answer = await chain.rpc.call('chain_getBlock', [hash], { signal });
  if (answer === null) throw new ChainError('BLOCK_UNKNOWN', undefined, { field: hash });
  const { block } = answer as { block?: { extrinsics?: unknown } };
  if (!Array.isArray(block?.extrinsics)) throw new ChainError('RPC_MALFORMED', undefined, { field: 'chain_getBlock' });
  return block.extrinsics;
}
