import type { SeenAnchor } from './seen.ts';
import { compareAddresses } from './ss58.ts';
import type { FoldState, ReadyRow } from './state.ts';

/** Step 1 of a height: old rows go, then the height's ready anchors for the ruling arena (section 5). */
export function stepReady(state: FoldState, height: number, anchors: readonly SeenAnchor[]): FoldState {
  const { ready_blocks, arena_digest } = state.consensus;
  const rows = new Map<string, ReadyRow>();
  for (const row of state.ready) if (height < row.height + ready_blocks) rows.set(row.hotkey, row);
  let changed = rows.size !== state.ready.length;
  for (const { hotkey, anchor } of anchors) {
    if (anchor.kind !== 'ready' || anchor.arena_digest !== arena_digest) continue;
    changed = true;
    if (anchor.capacity === 0) rows.delete(hotkey);
    else rows.set(hotkey, { hotkey, height, capacity: anchor.capacity });
  }
  if (!changed) return state;
  return { ...state, ready: [...rows.values()].sort((a, b) => compareAddresses(a.hotkey, b.hotkey)) };
}
