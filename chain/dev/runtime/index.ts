export type { CommitmentData } from './commitments/data.ts';
export { DRAND_INDEX, writePulse } from './drand/pallet.ts';
export type { BeaconConfiguration, Pulse } from './drand/storage.ts';
export * as drandStorage from './drand/storage.ts';
export { type EventPhase, eventRecord } from './events.ts';
export { birthOf } from './extrinsic/era.ts';
export { bareExtrinsic, type Extrinsic } from './extrinsic/extrinsic.ts';
export {
  checkNonce,
  checkSignature,
  type Invalidity,
  type Sender,
  type ValidityContext,
} from './extrinsic/validity.ts';
export { type BlockContext, DispatchFailure, type PalletEvent } from './pallet.ts';
export { createRuntime, type Runtime } from './runtime.ts';
export { subtensorEvents } from './subtensor/events.ts';
export * as subtensorStorage from './subtensor/storage.ts';
export { register, setPermit } from './subtensor/subnet.ts';
export { noteParent, SS58_PREFIX, SystemEvents } from './system/pallet.ts';
export * as systemStorage from './system/storage.ts';
export { now as timestampNow, setTimestamp, TIMESTAMP_INDEX } from './timestamp/pallet.ts';
export type { Bytes32 } from './types/account.ts';
