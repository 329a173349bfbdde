import type { SignedExtensionShape } from '../../metadata/index.ts';
import {
  compactU32,
  compactU64,
  type Fields,
  fixedBytes,
  named,
  noFields,
  option,
  plainEnum,
  struct,
  type TypeShape,
  u32,
  unit,
  type ValueOf,
  wrapped,
} from '../../scale/index.ts';
import { h256 } from '../types/account.ts';
import { era } from './era.ts';

const anyRuntime = [{ name: 'T', type: null }];
const mortality = struct('node_subtensor_runtime::check_mortality::CheckMortality', wrapped(era), anyRuntime);
const nonce = struct('node_subtensor_runtime::check_nonce::CheckNonce', wrapped(compactU32), anyRuntime);
const tip = struct('pallet_transaction_payment::ChargeTransactionPayment', wrapped(compactU64), anyRuntime);
const metadataHashMode = plainEnum('frame_metadata_hash_extension::Mode', ['Disabled', 'Enabled']);
const metadataHash = struct(
  'frame_metadata_hash_extension::CheckMetadataHash',
  named({ mode: metadataHashMode }),
  anyRuntime,
);

/** What a signed extrinsic carries between the signature and the call, in the order of the extensions. */
export const signedExtra = named({ mortality, nonce, tip, metadataHash });
export type SignedExtra = ValueOf<typeof signedExtra>;

/** What is signed besides and not carried: specVersion, transactionVersion, genesis, birth block, metadata hash. */
export const additionalSigned = named({
  specVersion: u32,
  transactionVersion: u32,
  genesisHash: h256,
  birthHash: h256,
  metadataHash: option(fixedBytes(32)),
});

const empty = (path: string): TypeShape => struct(path, noFields as Fields<null>, anyRuntime).shape;
const nothing = unit.shape;

/** The extensions of the spec-393 runtime, in its order. */
export const SIGNED_EXTENSIONS: readonly SignedExtensionShape[] = [
  {
    identifier: 'CheckNonZeroSender',
    type: empty('frame_system::extensions::check_non_zero_sender::CheckNonZeroSender'),
    additional: nothing,
  },
  {
    identifier: 'CheckSpecVersion',
    type: empty('frame_system::extensions::check_spec_version::CheckSpecVersion'),
    additional: u32.shape,
  },
  {
    identifier: 'CheckTxVersion',
    type: empty('frame_system::extensions::check_tx_version::CheckTxVersion'),
    additional: u32.shape,
  },
  {
    identifier: 'CheckGenesis',
    type: empty('frame_system::extensions::check_genesis::CheckGenesis'),
    additional: h256.shape,
  },
  { identifier: 'CheckMortality', type: mortality.shape, additional: h256.shape },
  { identifier: 'CheckNonce', type: nonce.shape, additional: nothing },
  {
    identifier: 'CheckWeight',
    type: empty('frame_system::extensions::check_weight::CheckWeight'),
    additional: nothing,
  },
  { identifier: 'ChargeTransactionPayment', type: tip.shape, additional: nothing },
  {
    identifier: 'SudoTransactionExtension',
    type: empty('node_subtensor_runtime::sudo_wrapper::SudoTransactionExtension'),
    additional: nothing,
  },
  {
    identifier: 'CheckShieldedTxValidity',
    type: empty('pallet_shield::extension::CheckShieldedTxValidity'),
    additional: nothing,
  },
  {
    identifier: 'SubtensorTransactionExtension',
    type: empty('pallet_subtensor::transaction_extension::SubtensorTransactionExtension'),
    additional: nothing,
  },
  {
    identifier: 'DrandPriority',
    type: empty('pallet_drand::drand_priority::DrandPriority'),
    additional: nothing,
  },
  { identifier: 'CheckMetadataHash', type: metadataHash.shape, additional: option(fixedBytes(32)).shape },
];
