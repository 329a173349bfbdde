import type { EventRecord } from '@polkadot/types/interfaces';
import { ChainError } from '../errors.ts';
import { accountOf, safeIntegerOf } from '../rpc/index.ts';

/** An event of the Commitments pallet that concerns one hotkey of one subnet. */
export interface CommitmentEvent {
  readonly netuid: number;
  readonly hotkey: string;
  /** Position in the block's `System.Events`. */
  readonly index: number;
}

/** The pallet's events called `name` of subnet `netuid`, in event order. RUNTIME_UNKNOWN if their fields changed. */
export function commitmentEvents(events: readonly EventRecord[], name: string, netuid: number): CommitmentEvent[] {
  const found: CommitmentEvent[] = [];
  events.forEach(({ event }, index) => {
    if (event.section !== 'commitments' || event.method !== name) return;
    const field = `Commitments.${name}`;
    const names = event.meta.fields.map((row) => row.name.unwrapOr('').toString());
    const [first, second] = [names.indexOf('netuid'), names.indexOf('who')];
    if (first < 0 || second < 0) throw new ChainError('RUNTIME_UNKNOWN', 'event without netuid and who', { field });
    if (safeIntegerOf(event.data[first], `${field}.netuid`) !== netuid) return;
    found.push({ netuid, hotkey: accountOf(event.data[second], `${field}.who`), index });
  });
  return found;
}
