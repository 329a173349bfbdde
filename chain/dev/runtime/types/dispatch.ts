import {
  compactU64,
  fixedBytes,
  named,
  noFields,
  plainEnum,
  struct,
  u8,
  type ValueOf,
  variant,
  wrapped,
} from '../../scale/index.ts';

export const weight = struct('sp_weights::weight_v2::Weight', named({ refTime: compactU64, proofSize: compactU64 }));

export const dispatchClass = plainEnum('frame_support::dispatch::DispatchClass', [
  'Normal',
  'Operational',
  'Mandatory',
]);
export const pays = plainEnum('frame_support::dispatch::Pays', ['Yes', 'No']);

export const dispatchInfo = struct(
  'frame_system::DispatchEventInfo',
  named({ weight, class: dispatchClass, paysFee: pays }),
);
export type DispatchInfo = ValueOf<typeof dispatchInfo>;

const moduleError = struct('sp_runtime::ModuleError', named({ index: u8, error: fixedBytes(4) }));

const tokenError = plainEnum('sp_runtime::TokenError', [
  'FundsUnavailable',
  'OnlyProvider',
  'BelowMinimum',
  'CannotCreate',
  'UnknownAsset',
  'Frozen',
  'Unsupported',
  'CannotCreateHold',
  'NotExpendable',
  'Blocked',
]);
const arithmeticError = plainEnum('sp_arithmetic::ArithmeticError', ['Underflow', 'Overflow', 'DivisionByZero']);
const transactionalError = plainEnum('sp_runtime::TransactionalError', ['LimitReached', 'NoLayer']);
const trieError = plainEnum('sp_runtime::proving_trie::TrieError', [
  'InvalidStateRoot',
  'IncompleteDatabase',
  'ValueAtIncompleteKey',
  'DecoderError',
  'InvalidHash',
  'DuplicateKey',
  'ExtraneousNode',
  'ExtraneousValue',
  'ExtraneousHashReference',
  'InvalidChildReference',
  'ValueMismatch',
  'IncompleteProof',
  'RootMismatch',
  'DecodeError',
]);

export const dispatchError = variant('sp_runtime::DispatchError', {
  Other: { index: 0, fields: noFields },
  CannotLookup: { index: 1, fields: noFields },
  BadOrigin: { index: 2, fields: noFields },
  Module: { index: 3, fields: wrapped(moduleError) },
  ConsumerRemaining: { index: 4, fields: noFields },
  NoProviders: { index: 5, fields: noFields },
  TooManyConsumers: { index: 6, fields: noFields },
  Token: { index: 7, fields: wrapped(tokenError) },
  Arithmetic: { index: 8, fields: wrapped(arithmeticError) },
  Transactional: { index: 9, fields: wrapped(transactionalError) },
  Exhausted: { index: 10, fields: noFields },
  Corruption: { index: 11, fields: noFields },
  Unavailable: { index: 12, fields: noFields },
  RootNotAllowed: { index: 13, fields: noFields },
  Trie: { index: 14, fields: wrapped(trieError) },
});
export type DispatchError = ValueOf<typeof dispatchError>;
