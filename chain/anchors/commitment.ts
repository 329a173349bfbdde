import type { Codec } from '@polkadot/types/types';
import { bytesOf, itemsOf, memberOf, safeIntegerOf, variantOf } from '../rpc/index.ts';
import { ANCHOR_MAX_BYTES } from './limits.ts';

/** `Commitments.CommitmentOf` of one hotkey. */
export interface Commitment {
  /** The block of the last set_commitment. */
  readonly block: number;
  readonly fields: readonly CommitmentField[];
}

export type CommitmentField =
  | { readonly kind: 'raw'; readonly bytes: Uint8Array }
  | { readonly kind: 'timelock'; readonly encrypted: Uint8Array; readonly revealRound: bigint }
  /** Anything else a runtime may offer: named, and of no use to this subnet. */
  | { readonly kind: 'other'; readonly name: string };

const RAW = /^Raw(\d{1,3})$/;

/** Reads a decoded CommitmentOf value, null where there is none; RUNTIME_UNKNOWN if it has another shape. */
export function commitmentOf(value: Codec | null): Commitment | null {
  if (value === null) return null;
  const field = 'Commitments.CommitmentOf';
  const fields = memberOf(memberOf(value, 'info', field), 'fields', field);
  return {
    block: safeIntegerOf(memberOf(value, 'block', field), `${field}.block`),
    fields: itemsOf(fields, `${field}.fields`).map((data) => fieldOf(data, `${field}.fields`)),
  };
}

function fieldOf(data: Codec, field: string): CommitmentField {
  const { name, value } = variantOf(data, field);
  if (RAW.test(name)) return { kind: 'raw', bytes: bytesOf(value, field) };
  if (name === 'TimelockEncrypted') {
    return {
      kind: 'timelock',
      encrypted: bytesOf(memberOf(value, 'encrypted', field), `${field}.encrypted`),
      revealRound: BigInt(memberOf(value, 'revealRound', field).toString()),
    };
  }
  return { kind: 'other', name };
}

/** The bytes of a commitment that is exactly one Raw field of at most 128 bytes, else null. */
export function singleRaw(commitment: Commitment | null): Uint8Array | null {
  const [only, ...others] = commitment?.fields ?? [];
  if (only?.kind !== 'raw' || others.length > 0 || only.bytes.length > ANCHOR_MAX_BYTES) return null;
  return only.bytes;
}
