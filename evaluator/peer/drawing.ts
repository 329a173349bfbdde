import { drawMembers } from './draw.ts';
import type { FoldEvent } from './events.ts';
import { expire } from './queue.ts';
import { type ActiveSet, activeSet, chainStateOf } from './stake.ts';
import type { Cohort, FoldState } from './state.ts';
import { inTurn } from './turn.ts';
import type { FoldBlock, SubnetState } from './types.ts';

const PPM = 1_000_000n;

/** Step 4 at h = E: reservations of unregistered hotkeys end, then the cohort is drawn, or nobody is (section 6). */
export function stepDrawing(before: FoldState, opened: number, block: FoldBlock, events: FoldEvent[]): FoldState {
  const subnet = chainStateOf(block);
  const owners = ownersOf(subnet);
  const gone = expire(before, 'unregistered', (r) => r.block <= opened && !owners.has(r.hotkey), events);
  const active = activeSet(gone, subnet, block.height);
  const enough = active.stake * PPM >= BigInt(gone.consensus.min_active_stake_ppm) * active.permittedStake;
  const coldkeyOf = (hotkey: string): string | null => owners.get(hotkey) ?? null;
  const members = !enough
    ? []
    : drawMembers({
        turn: inTurn(gone.queue, opened, coldkeyOf),
        active: active.rows,
        ready: gone.ready,
        maxCohort: gone.consensus.max_cohort,
        entropy: block.hash,
        coldkeyOf,
      });
  const state = { ...gone, last_draw: summary(active, members.length, block.height) };
  if (members.length === 0) {
    events.push({ kind: 'nobody_drawn', assignment_block: block.height, reason: enough ? 'no_pair' : 'active_stake' });
    return { ...state, phase: { kind: 'idle' } };
  }
  const cohort: Cohort = {
    index: state.next_index,
    opened,
    assignment_block: block.height,
    incumbent_stack_digest: state.ledger.stack_digest,
    active: active.rows,
    members,
    ballots: [],
    strangers: [],
  };
  const drawn = members.map(({ reservation_id, sides: [a, b] }) => ({
    reservation_id,
    hotkeys: [a.hotkey, b.hotkey] as const,
  }));
  events.push({ kind: 'cohort_drawn', index: cohort.index, members: drawn });
  return { ...state, next_index: state.next_index + 1, phase: { kind: 'measuring', cohort } };
}

/** Every registered hotkey and its coldkey. */
function ownersOf(subnet: SubnetState): Map<string, string | null> {
  const owners = new Map<string, string | null>(Object.entries(subnet.others));
  for (const { hotkey, coldkey } of subnet.validators) owners.set(hotkey, coldkey);
  return owners;
}

function summary(active: ActiveSet, drawn: number, height: number): FoldState['last_draw'] {
  return {
    height,
    active_coldkeys: new Set(active.rows.map((row) => row.coldkey)).size,
    active_stake: active.stake.toString(),
    permitted_stake: active.permittedStake.toString(),
    drawn,
  };
}
