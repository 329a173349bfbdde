import { randomBytes } from 'node:crypto';
import { commitmentOf } from '../../chain/anchors/index.ts';
import { readBeacon } from '../../chain/proposals/index.ts';
import { bytesOf, type Chain, itemsOf, safeIntegerOf } from '../../chain/rpc/index.ts';
import { commitProposal, type Signer, type SubmitResult } from '../../chain/signer/index.ts';
import { roundAt, timeOfRound } from '../../chain/timelock/index.ts';
import { payloadText } from '../../evaluator/peer/index.ts';
import { MinerError } from './errors.ts';

/** Where a miner's proposal is, in finalized state. */
export type ProposalState =
  | { readonly kind: 'absent' }
  /** Some commitment of the hotkey is under timelock; nobody can see which until its round. */
  | { readonly kind: 'pending'; readonly revealRound: bigint }
  /** This payload was revealed at this block, the latest one if there are several. */
  | { readonly kind: 'revealed'; readonly block: number };

/** What finalized state says of a miner's payload: after a restart nothing is committed twice. */
export async function proposalState(
  chain: Chain,
  netuid: number,
  hotkey: string,
  payload: string,
  signal?: AbortSignal,
): Promise<ProposalState> {
  const head = await chain.finalizedHead(signal);
  const state = await chain.stateAt(head.hash, signal);
  const commitment = commitmentOf(await state.get('Commitments', 'CommitmentOf', [netuid, hotkey], signal));
  const locked = commitment?.fields.find((field) => field.kind === 'timelock');
  if (locked !== undefined) return { kind: 'pending', revealRound: locked.revealRound };
  const field = 'Commitments.RevealedCommitments';
  const revealed = await state.get('Commitments', 'RevealedCommitments', [netuid, hotkey], signal);
  const rows = revealed === null ? [] : itemsOf(revealed, field).map((row) => itemsOf(row, field));
  const own = rows.findLast(([bytes]) => payloadText(bytesOf(bytes, field)) === payload);
  return own === undefined ? { kind: 'absent' } : { kind: 'revealed', block: safeIntegerOf(own[1], field) };
}

/** True if the hotkey has a uid on the subnet: the chain takes commitments of no other. */
export async function isRegistered(
  chain: Chain,
  netuid: number,
  hotkey: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const head = await chain.finalizedHead(signal);
  const state = await chain.stateAt(head.hash, signal);
  return (await state.get('SubtensorModule', 'Uids', [netuid, hotkey], signal)) !== null;
}

/** Which pulse reveals a payload: so many rounds from now, but not before the given one. */
export interface RevealTime {
  readonly inRounds: number;
  readonly notBefore?: number;
}

export interface Committed {
  readonly revealRound: number;
  /** Unix seconds at which the pulse of that round is due. */
  readonly revealTime: number;
  /** The finalized block that holds the ciphertext. */
  readonly height: number;
  readonly hash: string;
}

export interface CommitContext {
  readonly chain: Chain;
  readonly signer: Signer;
  readonly netuid: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * Commits a payload under timelock for the beacon whose pulses the chain stores; resolves when finalized state holds
 * the ciphertext.
 * @throws MinerError COMMIT_REJECTED, COMMIT_UNKNOWN; ChainError
 */
export async function commitUnderTimelock(
  { chain, signer, netuid, now }: CommitContext,
  payload: string,
  reveal: RevealTime,
  signal?: AbortSignal,
): Promise<Committed> {
  const head = await chain.finalizedHead(signal);
  const beacon = await readBeacon(await chain.stateAt(head.hash, signal), signal);
  // A clock that is slow would pick a round whose pulse everybody has: the payload would be open at once.
  const current = Math.max(roundAt(now() / 1000, beacon), beacon.lastStoredRound);
  const revealRound = Math.max(current + reveal.inRounds, reveal.notBefore ?? 0);
  const result = await commitProposal(
    chain,
    signer,
    { payload, revealRound, beaconKey: beacon.publicKey },
    { netuid, ...(signal === undefined ? {} : { signal }) },
    { randomBytes },
  );
  const { height, hash } = finalizedOnly(result);
  return { revealRound, revealTime: timeOfRound(revealRound, beacon), height, hash };
}

function finalizedOnly(result: SubmitResult): { readonly height: number; readonly hash: string } {
  switch (result.kind) {
    case 'finalized':
      return result;
    case 'rejected':
      throw new MinerError('COMMIT_REJECTED', [result.error, result.detail].filter((part) => part !== '').join(': '));
    case 'unknown':
      throw new MinerError('COMMIT_UNKNOWN');
  }
}
