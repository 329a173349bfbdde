import { ed25519Verify, sr25519Verify } from '@polkadot/util-crypto';
import type { StateReader } from '../../storage/index.ts';
import { BLOCK_HASH_COUNT } from '../system/pallet.ts';
import * as system from '../system/storage.ts';
import type { Bytes32 } from '../types/account.ts';
import type { RuntimeVersion } from '../version.ts';
import { birthOf } from './era.ts';
import { type Extrinsic, type Signed, signingPayload } from './extrinsic.ts';

/** Why a transaction is refused, as Substrate calls it. */
export type Invalidity = 'Stale' | 'Future' | 'BadProof' | 'AncientBirthBlock' | 'CannotLookup' | 'NoUnsignedValidator';

/** What a validity check looks at. */
export interface ValidityContext {
  /** State in which System.BlockHash has the parent's hash already. */
  readonly state: StateReader;
  /** The block the transaction would be in. */
  readonly number: number;
  readonly genesisHash: Bytes32;
  readonly version: RuntimeVersion;
}

export interface Sender {
  readonly who: Bytes32;
  readonly nonce: number;
}

/** Signature, era, versions and genesis: everything but the nonce. Gives the sender or the reason for refusal. */
export function checkSignature(extrinsic: Extrinsic, context: ValidityContext): Sender | Invalidity {
  const { signed } = extrinsic;
  if (signed === null) return 'NoUnsignedValidator';
  if (signed.address.kind !== 'Id' || signed.extra.metadataHash.mode === 'Enabled') return 'CannotLookup';
  const birthHash = birthHashOf(signed, context);
  if (birthHash === null) return 'AncientBirthBlock';
  const payload = signingPayload(extrinsic.callBytes, signed.extra, {
    specVersion: context.version.specVersion,
    transactionVersion: context.version.transactionVersion,
    genesisHash: context.genesisHash,
    birthHash,
    metadataHash: null,
  });
  const who = signed.address.value;
  return signatureMatches(signed.signature, payload, who) ? { who, nonce: signed.extra.nonce } : 'BadProof';
}

/** Null where the nonce is the account's next one. */
export function checkNonce({ who, nonce }: Sender, state: StateReader): 'Stale' | 'Future' | null {
  const next = system.account.get(state, who).nonce;
  if (nonce === next) return null;
  return nonce < next ? 'Stale' : 'Future';
}

function birthHashOf({ extra }: Signed, { state, number, genesisHash }: ValidityContext): Bytes32 | null {
  if (extra.mortality === null) return genesisHash;
  const birth = birthOf(extra.mortality, number);
  if (birth >= number || number - birth > BLOCK_HASH_COUNT) return null;
  const hash = system.blockHash.get(state, birth);
  return hash.every((byte) => byte === 0) ? null : hash;
}

function signatureMatches({ kind, value }: Signed['signature'], payload: Uint8Array, who: Bytes32): boolean {
  try {
    if (kind === 'Sr25519') return sr25519Verify(payload, value, who);
    return kind === 'Ed25519' && ed25519Verify(payload, value, who);
  } catch {
    return false; // bytes that are no key or no signature
  }
}
