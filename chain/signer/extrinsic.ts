import type { KeyringPair } from '@polkadot/keyring/types';
import type { Call, Extrinsic, ExtrinsicEra, RuntimeVersion } from '@polkadot/types/interfaces';
import { ChainError } from '../errors.ts';
import type { FinalizedHead, Runtime } from '../rpc/index.ts';

export interface SignedExtrinsic {
  /** "0x" + hex of the whole extrinsic, as it appears in a block. */
  readonly hex: string;
  readonly nonce: number;
  /** It can be in no block from this height on. */
  readonly deathHeight: number;
}

export interface SigningContext {
  readonly runtime: Runtime;
  readonly genesisHash: string;
  /** The finalized head whose runtime, hash and height are signed. */
  readonly head: FinalizedHead;
  readonly nonce: number;
  readonly eraBlocks: number;
}

/** Signs a call as a mortal extrinsic (version 4, no tip). EXTENSION_UNKNOWN if the runtime wants more than that. */
export function signExtrinsic(
  call: Call,
  pair: KeyringPair,
  { runtime, genesisHash, head, nonce, eraBlocks }: SigningContext,
): SignedExtrinsic {
  const { registry, version, unsignable } = runtime;
  if (unsignable.length > 0) throw new ChainError('EXTENSION_UNKNOWN', unsignable.join(', '));
  const era = registry.createType<ExtrinsicEra>('ExtrinsicEra', { current: head.height, period: eraBlocks });
  const extrinsic = registry.createType<Extrinsic>('Extrinsic', call, { version: 4 });
  extrinsic.sign(pair, {
    blockHash: head.hash,
    era,
    genesisHash,
    nonce,
    runtimeVersion: registry.createType<RuntimeVersion>('RuntimeVersion', { ...version }),
    signedExtensions: registry.signedExtensions,
    tip: 0,
  });
  return { hex: extrinsic.toHex(), nonce, deathHeight: era.asMortalEra.death(head.height) };
}
