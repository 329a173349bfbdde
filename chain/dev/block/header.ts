import { blake2AsU8a } from '@polkadot/util-crypto';
import { toHex } from '../hex.ts';
import { ScaleWriter } from '../scale/index.ts';

export interface Header {
  readonly number: number;
  readonly parentHash: Uint8Array;
  readonly stateRoot: Uint8Array;
  readonly extrinsicsRoot: Uint8Array;
}

export interface Block {
  readonly header: Header;
  readonly hash: Uint8Array;
  /** Each with its length prefix. */
  readonly extrinsics: readonly Uint8Array[];
}

const EMPTY_DIGEST = 0;

/** blake2b-256 of the SCALE header, as Substrate names a block. The digest is always empty. */
export function headerHash({ number, parentHash, stateRoot, extrinsicsRoot }: Header): Uint8Array {
  const out = new ScaleWriter();
  out.bytes(parentHash);
  out.compact(number);
  out.bytes(stateRoot);
  out.bytes(extrinsicsRoot);
  out.compact(EMPTY_DIGEST);
  return blake2AsU8a(out.finish(), 256);
}

/** A hash over the extrinsics; not Substrate's trie root, which no client checks here. */
export function extrinsicsRootOf(extrinsics: readonly Uint8Array[]): Uint8Array {
  const out = new ScaleWriter();
  out.compact(extrinsics.length);
  for (const extrinsic of extrinsics) out.bytes(extrinsic);
  return blake2AsU8a(out.finish(), 256);
}

export function headerJson({ number, parentHash, stateRoot, extrinsicsRoot }: Header): object {
  return {
    parentHash: toHex(parentHash),
    number: `0x${number.toString(16)}`,
    stateRoot: toHex(stateRoot),
    extrinsicsRoot: toHex(extrinsicsRoot),
    digest: { logs: [] },
  };
}
