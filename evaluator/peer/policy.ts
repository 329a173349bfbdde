import { type Consensus, consensusDigest } from './consensus.ts';
import { PeerError } from './errors.ts';
import type { FoldEvent } from './events.ts';
import { type SeenAnchor, seenAnchors } from './seen.ts';
import { lastSamples } from './stake.ts';
import type { FoldState, PolicyRow } from './state.ts';
import type { BlockAnchor, FoldAuthority, FoldBlock } from './types.ts';

/** Where the fold finds consensus objects and records by digest. */
export interface ConsensusSource {
  /** The parsed object, or null if this node does not hold it. */
  object(digest: string): Consensus | null;
  /** True if a record with this digest was closed on the way to the state that is stepped. */
  isRecord(digest: string): boolean;
}

/** True if a block's anchors make the fold look at `FoldBlock.owner_hotkey`. */
export function needsOwner(anchors: readonly BlockAnchor[]): boolean {
  return seenAnchors(anchors).some(({ anchor }) => anchor.kind === 'policy');
}

/**
 * The policy anchor of a block that is not ignored: by the subnet owner's hotkey, early enough (section 2). Nodes that
 * look ahead of the fold for a restart judge by it too.
 * @throws PeerError CHAIN_STATE_MISSING if the block comes without the owner's hotkey
 */
export function policyOf(block: FoldBlock, noticeBlocks: number): PolicyRow | null {
  return policyRow(block, seenAnchors(block.anchors), noticeBlocks);
}

function policyRow(block: FoldBlock, anchors: readonly SeenAnchor[], noticeBlocks: number): PolicyRow | null {
  if (!anchors.some(({ anchor }) => anchor.kind === 'policy')) return null;
  const owner = block.owner_hotkey === undefined ? block.state?.owner_hotkey : block.owner_hotkey;
  if (owner === undefined) {
    throw new PeerError('CHAIN_STATE_MISSING', 'a policy anchor without SubnetOwnerHotkey', {
      field: `block ${block.height}`,
    });
  }
  for (const { hotkey, anchor } of anchors) {
    if (anchor.kind !== 'policy' || hotkey !== owner) continue;
    const early = anchor.activation_height - BigInt(block.height) >= BigInt(noticeBlocks);
    const activation_height = anchor.activation_height.toString();
    return early ? { digest: anchor.consensus_digest, activation_height, anchored_at: block.height } : null;
  }
  return null;
}

/** Keeps the block's policy anchor; of several for one activation height the last rules. */
export function stepPolicy(
  state: FoldState,
  block: FoldBlock,
  anchors: readonly SeenAnchor[],
  events: FoldEvent[],
): FoldState {
  const row = policyRow(block, anchors, state.policy_notice_blocks);
  if (row === null) return state;
  events.push({ kind: 'policy_anchored', digest: row.digest, activation_height: row.activation_height });
  const others = state.policy.filter((other) => other.activation_height !== row.activation_height);
  const height = (policy: PolicyRow): bigint => BigInt(policy.activation_height);
  const policy = [...others, row].sort((a, b) => (height(a) < height(b) ? -1 : 1));
  return { ...state, policy };
}

export type Ruling =
  | { readonly kind: 'ruling'; readonly state: FoldState }
  | { readonly kind: 'consensus_unknown'; readonly digest: string; readonly activation_height: number }
  | {
      readonly kind: 'restart';
      /** Of the consensus object. */
      readonly digest: string;
      /** Digest of the record to return to. */
      readonly record: string;
      readonly activation_height: number;
    };

/**
 * What rules at the start of a height (section 2): of the objects that are due the one with the highest activation
 * height takes effect once no cohort is open. Stops before an activation height whose object is not held here, and
 * before one whose restart was not followed.
 */
export function rulingAt(
  state: FoldState,
  height: number,
  authority: FoldAuthority,
  source: ConsensusSource,
  events: FoldEvent[],
): Ruling {
  const due = duePolicies(state, height);
  if (due.length === 0) return { kind: 'ruling', state };
  let next: Consensus | null = null;
  for (const row of due) {
    const activation_height = Number(row.activation_height);
    const object = source.object(row.digest);
    if (object === null) return { kind: 'consensus_unknown', digest: row.digest, activation_height };
    if (!isOfThisNetwork(state, object, activation_height)) continue;
    const record = object.restart;
    const followed = state.record_digest === record && state.resume_height >= activation_height;
    if (record !== null && !followed && source.isRecord(record)) {
      return { kind: 'restart', digest: row.digest, record, activation_height };
    }
    next = object;
  }
  if (state.phase.kind !== 'idle') return { kind: 'ruling', state };
  const policy = state.policy.filter((row) => !due.includes(row));
  return {
    kind: 'ruling',
    state: next === null ? { ...state, policy } : adopt({ ...state, policy }, next, authority, events),
  };
}

/** Policy rows whose activation height is reached, the lowest first. */
export function duePolicies(state: FoldState, height: number): PolicyRow[] {
  return state.policy.filter((row) => BigInt(row.activation_height) <= BigInt(height));
}

/** An object whose own activation height differs is ignored, and so is one for another chain or subnet. */
function isOfThisNetwork({ consensus }: FoldState, object: Consensus, activationHeight: number): boolean {
  const here = object.genesis_hash === consensus.genesis_hash && object.netuid === consensus.netuid;
  return here && object.activation_height === activationHeight;
}

/** Queue and penalties go on; with another arena the ready table is emptied and the stack is the new genesis stack. */
function adopt(state: FoldState, consensus: Consensus, authority: FoldAuthority, events: FoldEvent[]): FoldState {
  const arena_changed = consensus.arena_digest !== state.consensus.arena_digest;
  const digest = consensusDigest(consensus);
  events.push({ kind: 'consensus_changed', digest, previous: state.consensus_digest, arena_changed });
  return {
    ...state,
    consensus,
    consensus_digest: digest,
    samples: lastSamples(state.samples, consensus.stake_samples),
    ready: arena_changed ? [] : state.ready,
    ledger: arena_changed ? authority.adoptGenesis(consensus.genesis_stack_digest) : state.ledger,
  };
}

/**
 * The state to step from when an object names a record to return to (section 2): that at the end of the close of the
 * record, without cohorts up to the object's activation height. The caller drops later records.
 * @throws PeerError RESTART_MISMATCH if the state is another one
 */
export function restartState(state: FoldState, object: Consensus): FoldState {
  if (object.restart === null || object.restart !== state.record_digest || state.phase.kind !== 'idle') {
    throw new PeerError('RESTART_MISMATCH', undefined, { field: 'restart' });
  }
  return { ...state, resume_height: object.activation_height };
}
