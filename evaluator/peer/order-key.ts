import { compareCodePoints } from '../identity/index.ts';
import { compareAddresses } from './ss58.ts';

/** The fields that order reservations (section 4). */
export interface OrderKey {
  readonly committed: number;
  readonly block: number;
  readonly event_index: number;
  readonly event_subindex: number;
  readonly hotkey: string;
  readonly content_hash: string;
}

/** Negative if a is the earlier reservation: (committed, block, event_index, event_subindex, hotkey, content_hash). */
export function compareOrderKeys(a: OrderKey, b: OrderKey): number {
  return (
    a.committed - b.committed ||
    a.block - b.block ||
    a.event_index - b.event_index ||
    a.event_subindex - b.event_subindex ||
    compareAddresses(a.hotkey, b.hotkey) ||
    compareCodePoints(a.content_hash, b.content_hash)
  );
}
