import { TimelockError, timelockDecrypt } from '../../../timelock/index.ts';
import { pulses } from '../drand/storage.ts';
import type { BlockContext } from '../pallet.ts';
import type { Bytes32 } from '../types/account.ts';
import type { CommitmentData } from './data.ts';
import { commitmentsEvents } from './events.ts';
import * as storage from './storage.ts';

/** RevealedCommitments keeps the newest ones. */
const REVEALS_KEPT = 10;

/**
 * At the start of a block: opens every timelocked field whose pulse was stored in an earlier block, in the order
 * (netuid, account bytes). A field that does not open is dropped without a trace (`notes/timelock.md` section 1).
 */
export function revealTimelocked(context: BlockContext): void {
  for (const [netuid, who] of storage.timelockedIndex.get(context.state)) revealOf(context, netuid, who);
}

function revealOf(context: BlockContext, netuid: number, who: Bytes32): void {
  const { state, number } = context;
  const registration = storage.commitmentOf.get(state, netuid, who);
  const remaining: CommitmentData[] = [];
  const revealed: Uint8Array[] = [];
  for (const field of registration?.info.fields ?? []) {
    const pulse = field.kind === 'TimelockEncrypted' ? pulses.get(state, field.revealRound) : null;
    if (field.kind !== 'TimelockEncrypted' || pulse === null) remaining.push(field);
    else {
      const plaintext = open(field.encrypted, pulse.signature);
      if (plaintext !== null) revealed.push(plaintext);
    }
  }
  if (revealed.length > 0) {
    const before = storage.revealedCommitments.get(state, netuid, who) ?? [];
    const all = [...before, ...revealed.map((bytes): [Uint8Array, bigint] => [bytes, BigInt(number)])];
    storage.revealedCommitments.put(state, [netuid, who], all.slice(-REVEALS_KEPT));
    for (const _ of revealed) context.deposit(commitmentsEvents.CommitmentRevealed, { netuid, who });
  }
  if (registration !== null && remaining.length === 0) storage.commitmentOf.remove(state, netuid, who);
  else if (registration !== null && remaining.length < registration.info.fields.length) {
    storage.commitmentOf.put(state, [netuid, who], { ...registration, info: { fields: remaining } });
  }
  if (!remaining.some(({ kind }) => kind === 'TimelockEncrypted')) {
    const index = storage.timelockedIndex.get(state);
    storage.timelockedIndex.put(state, [], storage.withTimelocked(index, netuid, who, false));
  }
}

/** The plaintext, or null if the ciphertext does not open or holds nothing. */
function open(encrypted: Uint8Array, signature: Uint8Array): Uint8Array | null {
  try {
    const plaintext = timelockDecrypt(encrypted, signature);
    return plaintext.length === 0 ? null : plaintext;
  } catch (error) {
    if (error instanceof TimelockError) return null;
    throw error;
  }
}
