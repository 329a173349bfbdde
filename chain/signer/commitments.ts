import { ANCHOR_MAX_BYTES, commitmentOf, singleRaw } from '../anchors/index.ts';
import { ChainError } from '../errors.ts';
import type { Chain, Runtime, StateReader } from '../rpc/index.ts';
import { COMMITMENT_PLAINTEXT_MAX_BYTES, type TimelockDependencies, timelockEncrypt } from '../timelock/index.ts';
import type { Signer, SubmitResult } from './signer.ts';

export interface CommitOptions {
  readonly netuid: number;
  /**
   * Only a commitment made above this height counts as this one; the same height, given again after a crash, finds
   * what was sent before it. Absent: the finalized height now.
   */
  readonly after?: number;
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * Anchors bytes as one Raw field. Finalized when CommitmentOf, in finalized state, is exactly these bytes of a block
 * above `after`: an equal anchor from before does not count, because only an event makes an anchor.
 */
export async function anchorCommitment(
  chain: Chain,
  signer: Signer,
  bytes: Uint8Array,
  options: CommitOptions,
): Promise<SubmitResult> {
  if (bytes.length === 0 || bytes.length > ANCHOR_MAX_BYTES) throw new ChainError('COMMITMENT_SIZE');
  const field = { [`Raw${bytes.length}`]: bytes };
  return commit(chain, signer, field, options, (fields) => {
    const raw = singleRaw(fields);
    return raw !== null && Buffer.from(raw).equals(bytes);
  });
}

export interface ProposalCommitment {
  /** The payload text of `protocol.md` section 8. */
  readonly payload: string;
  readonly revealRound: number;
  /** The beacon's public key, 96 bytes. */
  readonly beaconKey: Uint8Array;
}

/** Commits a miner's payload, locked until the pulse of `revealRound`. Finalized when the chain holds the ciphertext. */
export async function commitProposal(
  chain: Chain,
  signer: Signer,
  proposal: ProposalCommitment,
  options: CommitOptions,
  random: TimelockDependencies,
): Promise<SubmitResult> {
  const plaintext = Buffer.from(proposal.payload, 'utf8');
  if (plaintext.length === 0 || plaintext.length > COMMITMENT_PLAINTEXT_MAX_BYTES) {
    throw new ChainError('COMMITMENT_SIZE');
  }
  const round = proposal.revealRound;
  const encrypted = timelockEncrypt({ plaintext, round, publicKey: proposal.beaconKey }, random);
  const field = { TimelockEncrypted: { encrypted: `0x${Buffer.from(encrypted).toString('hex')}`, revealRound: round } };
  return commit(chain, signer, field, options, (commitment) => {
    const [only] = commitment?.fields ?? [];
    return only?.kind === 'timelock' && Buffer.from(only.encrypted).equals(encrypted);
  });
}

async function commit(
  chain: Chain,
  signer: Signer,
  field: Record<string, unknown>,
  { netuid, deadlineMs, signal, after }: CommitOptions,
  holds: (commitment: ReturnType<typeof commitmentOf>) => boolean,
): Promise<SubmitResult> {
  const floor = after ?? (await chain.finalizedHead(signal)).height;
  return signer.submit({
    call: (runtime: Runtime) => runtime.call('Commitments', 'set_commitment', [netuid, { fields: [field] }]),
    confirmed: async (state: StateReader) => {
      const value = await state.get('Commitments', 'CommitmentOf', [netuid, signer.hotkey], signal);
      const commitment = commitmentOf(value);
      return commitment !== null && commitment.block > floor && holds(commitment);
    },
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    ...(signal === undefined ? {} : { signal }),
  });
}
