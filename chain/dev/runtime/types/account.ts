import { bytes, type Codec, fixedBytes, struct, unit, variant, wrapped } from '../../scale/index.ts';

export const ACCOUNT_BYTES = 32;

/** An account or a 32-byte hash, as bytes. */
export type Bytes32 = Uint8Array;

export const accountId: Codec<Bytes32> = struct('sp_core::crypto::AccountId32', wrapped(fixedBytes(ACCOUNT_BYTES)));
export const h256: Codec<Bytes32> = struct('primitive_types::H256', wrapped(fixedBytes(32)));

/** `Compact<()>`: an account index that this runtime does not use. */
const noIndex: Codec<null> = {
  shape: { path: [], params: [], definition: { kind: 'compact', item: unit.shape } },
  encode: () => undefined,
  decode: () => null,
};

export const multiAddress = variant(
  'sp_runtime::multiaddress::MultiAddress',
  {
    Id: { index: 0, fields: wrapped(accountId) },
    Index: { index: 1, fields: wrapped(noIndex) },
    Raw: { index: 2, fields: wrapped(bytes) },
    Address32: { index: 3, fields: wrapped(fixedBytes(32)) },
    Address20: { index: 4, fields: wrapped(fixedBytes(20)) },
  },
  [
    { name: 'AccountId', type: accountId.shape },
    { name: 'AccountIndex', type: unit.shape },
  ],
);

export const multiSignature = variant('sp_runtime::MultiSignature', {
  Ed25519: { index: 0, fields: wrapped(fixedBytes(64)) },
  Sr25519: { index: 1, fields: wrapped(fixedBytes(64)) },
  Ecdsa: { index: 2, fields: wrapped(fixedBytes(65)) },
});

export const multiSigner = variant('sp_runtime::MultiSigner', {
  Ed25519: { index: 0, fields: wrapped(fixedBytes(32)) },
  Sr25519: { index: 1, fields: wrapped(fixedBytes(32)) },
  Ecdsa: { index: 2, fields: wrapped(fixedBytes(33)) },
});
