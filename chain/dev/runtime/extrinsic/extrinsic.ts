import { blake2AsU8a } from '@polkadot/util-crypto';
import { DevChainError } from '../../errors.ts';
import { encoded, ScaleReader, ScaleWriter, type ValueOf } from '../../scale/index.ts';
import type { BoundCall, PalletCall } from '../pallet.ts';
import { multiAddress, multiSignature } from '../types/account.ts';
import { additionalSigned, type SignedExtra, signedExtra } from './extensions.ts';

export const EXTRINSIC_VERSION = 4;
const SIGNED_BIT = 0x80;
/** Longer payloads are signed by their hash. */
const PAYLOAD_HASHED_ABOVE_BYTES = 256;

export interface Signed {
  readonly address: ValueOf<typeof multiAddress>;
  readonly signature: ValueOf<typeof multiSignature>;
  readonly extra: SignedExtra;
}

export interface Extrinsic {
  /** With its length prefix, as it stands in the block. */
  readonly bytes: Uint8Array;
  readonly hash: Uint8Array;
  readonly signed: Signed | null;
  readonly call: PalletCall;
  readonly callBytes: Uint8Array;
  readonly dispatch: BoundCall;
}

export type CallLookup = (pallet: number, call: number) => PalletCall | undefined;

/** An extrinsic of version 4, signed or bare; SCALE_MALFORMED for everything else and for unknown calls. */
export function decodeExtrinsic(bytes: Uint8Array, lookup: CallLookup): Extrinsic {
  const input = new ScaleReader(bytes);
  if (input.length() !== input.remaining) throw new DevChainError('SCALE_MALFORMED', 'extrinsic length is wrong');
  const version = input.u8();
  if ((version & ~SIGNED_BIT) !== EXTRINSIC_VERSION) throw new DevChainError('SCALE_MALFORMED', 'extrinsic version');
  const signed =
    (version & SIGNED_BIT) === 0
      ? null
      : {
          address: multiAddress.decode(input),
          signature: multiSignature.decode(input),
          extra: signedExtra.decode(input),
        };
  const callBytes = bytes.slice(input.offset);
  const call = lookup(input.u8(), input.u8());
  if (call === undefined) throw new DevChainError('SCALE_MALFORMED', 'no such call');
  const dispatch = call.decode(input);
  input.end();
  return { bytes, hash: blake2AsU8a(bytes, 256), signed, call, callBytes, dispatch };
}

/** A call without a signature, as the block author puts it into the block. */
export function bareExtrinsic(callBytes: Uint8Array): Uint8Array {
  const out = new ScaleWriter();
  out.compact(callBytes.length + 1);
  out.u8(EXTRINSIC_VERSION);
  out.bytes(callBytes);
  return out.finish();
}

/** The bytes a signer signs. */
export function signingPayload(
  callBytes: Uint8Array,
  extra: SignedExtra,
  additional: ValueOf<typeof additionalSigned>,
): Uint8Array {
  const payload = Buffer.concat([callBytes, encoded(signedExtra, extra), encoded(additionalSigned, additional)]);
  return payload.length > PAYLOAD_HASHED_ABOVE_BYTES ? blake2AsU8a(payload, 256) : payload;
}
