import { PeerError } from './errors.ts';
import { compareAddresses } from './ss58.ts';
import type { ActiveRow, FoldState, StakeRow, StakeSample } from './state.ts';
import type { FoldBlock, SubnetState, ValidatorState } from './types.ts';

/** The chain state that the fold reads at this height. */
export function chainStateOf(block: FoldBlock): SubnetState {
  if (block.state === null) throw new PeerError('CHAIN_STATE_MISSING', undefined, { field: `block ${block.height}` });
  return block.state;
}

/** Permitted validators (section 6), sorted by hotkey: a permit, and own alpha above 0. */
export function permittedValidators(subnet: SubnetState): ValidatorState[] {
  return subnet.validators
    .filter((validator) => validator.permit && BigInt(validator.stake) > 0n)
    .sort((a, b) => compareAddresses(a.hotkey, b.hotkey));
}

/** Step 0 of a height: a stake sample at each multiple of epoch_blocks; the last stake_samples are kept. */
export function takeSample(state: FoldState, block: FoldBlock): FoldState {
  if (!isSampleHeight(state, block.height)) return state;
  const stakes: StakeRow[] = permittedValidators(chainStateOf(block)).map(({ hotkey, stake }) => ({ hotkey, stake }));
  const samples = [...state.samples, { height: block.height, stakes }];
  return { ...state, samples: lastSamples(samples, state.consensus.stake_samples) };
}

/** True where the ruling object wants a sample; with none to keep there is nothing to read. */
export function isSampleHeight(state: FoldState, height: number): boolean {
  const { epoch_blocks, stake_samples } = state.consensus;
  return stake_samples > 0 && height % epoch_blocks === 0;
}

/** The last `count` samples. */
export function lastSamples(samples: readonly StakeSample[], count: number): readonly StakeSample[] {
  return count >= samples.length ? samples : samples.slice(samples.length - count);
}

/** The active set at E and what it is measured against; BigInts, because stakes pass 2^53. */
export interface ActiveSet {
  readonly rows: readonly ActiveRow[];
  readonly stake: bigint;
  /** Aged stake of all permitted validators. */
  readonly permittedStake: bigint;
}

/** Who is active at E (section 6): permitted, aged stake above 0, a ready row, no cooldown of the coldkey. */
export function activeSet(state: FoldState, subnet: SubnetState, height: number): ActiveSet {
  const samples = state.samples.map((sample) => new Map(sample.stakes.map((row) => [row.hotkey, BigInt(row.stake)])));
  const ready = new Set(state.ready.map((row) => row.hotkey));
  const cooling = new Set(state.penalties.filter((row) => height <= row.until).map((row) => row.coldkey));
  const rows: ActiveRow[] = [];
  let stake = 0n;
  let permittedStake = 0n;
  for (const { hotkey, coldkey, stake: now } of permittedValidators(subnet)) {
    const aged = samples.reduce((least, sample) => smaller(least, sample.get(hotkey) ?? 0n), BigInt(now));
    permittedStake += aged;
    if (aged === 0n || !ready.has(hotkey) || cooling.has(coldkey)) continue;
    stake += aged;
    rows.push({ hotkey, coldkey, stake: aged.toString() });
  }
  return { rows, stake, permittedStake };
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
