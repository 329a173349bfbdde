import type { EventRecord } from '@polkadot/types/interfaces';
import type { Codec } from '@polkadot/types/types';
import type { BlockProposal } from '../../evaluator/peer/types.ts';
import { type CommitmentEvent, commitmentEvents, commitmentOf } from '../anchors/index.ts';
import { ChainError } from '../errors.ts';
import { bytesOf, itemsOf, type StateReader, safeIntegerOf } from '../rpc/index.ts';
import { payloadText } from './payload.ts';

export interface ProposalSource {
  readonly netuid: number;
  readonly height: number;
  readonly events: readonly EventRecord[];
  /** The state of this block. */
  readonly state: StateReader;
  /** The state of its parent, read only if the block reveals something. */
  readonly parent: () => Promise<StateReader>;
}

/**
 * The reveals of one block in event order (`peer-protocol.md` section 4): the k-th CommitmentRevealed event of a
 * hotkey belongs to its k-th RevealedCommitments entry with this block's height. REVEAL_MISMATCH if their numbers
 * differ; bytes that are not UTF-8 are left out and still count as an event.
 */
export async function readProposals(source: ProposalSource, signal?: AbortSignal): Promise<BlockProposal[]> {
  const { netuid, height, state } = source;
  const byHotkey = Map.groupBy(commitmentEvents(source.events, 'CommitmentRevealed', netuid), ({ hotkey }) => hotkey);
  if (byHotkey.size === 0) return [];
  const hotkeys = [...byHotkey.keys()];
  const requests = (item: string) => hotkeys.map((hotkey) => ({ pallet: 'Commitments', item, args: [netuid, hotkey] }));
  const revealed = await state.query(requests('RevealedCommitments'), signal);
  const before = await (await source.parent()).query(requests('CommitmentOf'), signal);

  const proposals = hotkeys.flatMap((hotkey, i) => {
    const events = byHotkey.get(hotkey) as CommitmentEvent[];
    const payloads = entriesOf(revealed[i] ?? null, height);
    if (payloads.length !== events.length) {
      const counts = `${events.length} events, ${payloads.length} entries of ${hotkey} at height ${height}`;
      throw new ChainError('REVEAL_MISMATCH', counts);
    }
    const committed = commitmentOf(before[i] ?? null)?.block ?? null;
    return events.flatMap(({ index }, k) => {
      const payload = payloadText(payloads[k] as Uint8Array);
      return payload === null ? [] : [{ event_index: index, event_subindex: k, hotkey, committed, payload }];
    });
  });
  return proposals.sort((a, b) => a.event_index - b.event_index);
}

/** The payloads of RevealedCommitments that were revealed at `height`, oldest first. */
function entriesOf(value: Codec | null, height: number): Uint8Array[] {
  if (value === null) return [];
  const field = 'Commitments.RevealedCommitments';
  return itemsOf(value, field).flatMap((entry) => {
    const [payload, block] = itemsOf(entry, field);
    return safeIntegerOf(block, `${field}.block`) === height ? [bytesOf(payload, `${field}.payload`)] : [];
  });
}
