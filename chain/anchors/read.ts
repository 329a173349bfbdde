import type { EventRecord } from '@polkadot/types/interfaces';
import type { BlockAnchor } from '../../evaluator/peer/types.ts';
import type { StateReader } from '../rpc/index.ts';
import { commitmentOf, singleRaw } from './commitment.ts';
import { commitmentEvents } from './events.ts';

/**
 * The anchors of one block in event order (`peer-protocol.md` section 3): for the author of each Commitment event the
 * one Raw field of its CommitmentOf in the same block's state. Of several events of one hotkey only the last stands,
 * because the state holds only its value. Whether the bytes are a well-formed anchor is the fold's to judge.
 */
export async function readAnchors(
  state: StateReader,
  events: readonly EventRecord[],
  netuid: number,
  signal?: AbortSignal,
): Promise<BlockAnchor[]> {
  const last = new Map<string, number>();
  for (const { hotkey, index } of commitmentEvents(events, 'Commitment', netuid)) last.set(hotkey, index);
  const authors = [...last.keys()].sort((a, b) => (last.get(a) as number) - (last.get(b) as number));
  const values = await state.query(
    authors.map((hotkey) => ({ pallet: 'Commitments', item: 'CommitmentOf', args: [netuid, hotkey] })),
    signal,
  );
  return authors.flatMap((hotkey, i) => {
    const raw = singleRaw(commitmentOf(values[i] ?? null));
    return raw === null ? [] : [{ hotkey, payload: Buffer.from(raw).toString('hex') }];
  });
}
