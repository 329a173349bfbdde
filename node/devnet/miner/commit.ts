import { randomBytes } from 'node:crypto';
import { commitmentOf } from '../../../chain/anchors/index.ts';
import { bytesOf, type Chain, itemsOf, memberOf } from '../../../chain/rpc/index.ts';
import { commitProposal, type Signer } from '../../../chain/signer/index.ts';
import { payloadText } from '../../../evaluator/peer/index.ts';

/** Where a miner's proposal is on the chain. */
export type ProposalState = 'absent' | 'committed' | 'revealed';

/** What finalized state says of a miner's payload: after a restart nothing is committed twice. */
export async function proposalState(
  chain: Chain,
  netuid: number,
  hotkey: string,
  payload: string,
): Promise<ProposalState> {
  const head = await chain.finalizedHead();
  const state = await chain.stateAt(head.hash);
  const revealed = await state.get('Commitments', 'RevealedCommitments', [netuid, hotkey]);
  const field = 'Commitments.RevealedCommitments';
  const rows = revealed === null ? [] : itemsOf(revealed, field);
  const texts = rows.map((row) => payloadText(bytesOf(itemsOf(row, field)[0], field)));
  if (texts.includes(payload)) return 'revealed';
  const commitment = commitmentOf(await state.get('Commitments', 'CommitmentOf', [netuid, hotkey]));
  return commitment?.fields.some((each) => each.kind === 'timelock') === true ? 'committed' : 'absent';
}

/** Commits a payload under timelock; resolves when finalized state holds the ciphertext. */
export async function commitUnderTimelock(
  chain: Chain,
  signer: Signer,
  netuid: number,
  payload: string,
  revealRound: number,
): Promise<void> {
  const head = await chain.finalizedHead();
  const state = await chain.stateAt(head.hash);
  const beacon = await state.get('Drand', 'BeaconConfig', []);
  const beaconKey = bytesOf(memberOf(beacon, 'publicKey', 'Drand.BeaconConfig'), 'Drand.BeaconConfig.publicKey');
  const result = await commitProposal(chain, signer, { payload, revealRound, beaconKey }, { netuid }, { randomBytes });
  if (result.kind !== 'finalized') throw new Error(`commitment ${result.kind}`);
}
