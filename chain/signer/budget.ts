import { memberOf, type StateReader, safeIntegerOf } from '../rpc/index.ts';
import { COMMITMENT_MIN_CHARGE_BYTES } from './limits.ts';

/** What a hotkey may still commit before the next epoch of the subnet. */
export interface CommitmentBudget {
  /** Bytes charged in the epoch of the next block, and the most that may be. */
  readonly used: number;
  readonly max: number;
  /** Anchors that fit into the rest: each is charged 100 bytes. */
  readonly anchorsLeft: number;
  /** Blocks of one epoch: tempo + 1. */
  readonly epochBlocks: number;
}

/** Reads the commitment budget for an extrinsic in the block after `height`, whose state is given. */
export async function readCommitmentBudget(
  state: StateReader,
  { netuid, hotkey, height }: { readonly netuid: number; readonly hotkey: string; readonly height: number },
  signal?: AbortSignal,
): Promise<CommitmentBudget> {
  const [usage, maxSpace, tempoValue] = await state.query(
    [
      { pallet: 'Commitments', item: 'UsedSpaceOf', args: [netuid, hotkey] },
      { pallet: 'Commitments', item: 'MaxSpace', args: [] },
      { pallet: 'SubtensorModule', item: 'Tempo', args: [netuid] },
    ],
    signal,
  );
  const field = 'Commitments.UsedSpaceOf';
  const tempo = safeIntegerOf(tempoValue, 'SubtensorModule.Tempo');
  const max = safeIntegerOf(maxSpace, 'Commitments.MaxSpace');
  const epoch = await epochOf(state, netuid, tempo, height + 1, signal);
  const current = usage !== null && usage !== undefined && lastEpochOf(usage) === epoch;
  const used = current ? safeIntegerOf(memberOf(usage, 'usedSpace', field), `${field}.usedSpace`) : 0;
  const anchorsLeft = Math.floor(Math.max(0, max - used) / COMMITMENT_MIN_CHARGE_BYTES);
  return { used, max, anchorsLeft, epochBlocks: tempo + 1 };

  function lastEpochOf(value: Parameters<typeof memberOf>[0]): number {
    return safeIntegerOf(memberOf(value, 'lastEpoch', field), `${field}.lastEpoch`);
  }
}

/** Newer runtimes store the epoch; older ones derive it from the block (`notes/timelock.md` section 2). */
async function epochOf(
  state: StateReader,
  netuid: number,
  tempo: number,
  block: number,
  signal?: AbortSignal,
): Promise<number> {
  if (!state.runtime.hasStorage('SubtensorModule', 'SubnetEpochIndex')) {
    return Math.floor((block + netuid + 1) / (tempo + 1));
  }
  const stored = await state.get('SubtensorModule', 'SubnetEpochIndex', [netuid], signal);
  return safeIntegerOf(stored, 'SubtensorModule.SubnetEpochIndex');
}
