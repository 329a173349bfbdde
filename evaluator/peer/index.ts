export {
  type Anchor,
  type BallotAnchor,
  decodeAnchor,
  decodeAnchorHex,
  encodeAnchor,
  type PolicyAnchor,
  type ReadyAnchor,
  type ResultAnchor,
} from './anchors.ts';
export { stripCompactPrefix } from './compact.ts';
export { type Consensus, consensusDigest, parseConsensus, readConsensus } from './consensus.ts';
export { DEVNET_POLICY_NOTICE_BLOCKS, MAX_CAPACITY, POLICY_NOTICE_BLOCKS } from './constants.ts';
export { placeContext } from './context.ts';
export {
  type BallotDuty,
  type CohortDuties,
  type Duties,
  dutiesOf,
  type NextAtPlace,
  type PlaceDuty,
  type ReadyDuty,
  type ReceiptDuty,
} from './duties.ts';
export { PEER_ERRORS, PeerError, type PeerErrorCode } from './errors.ts';
export type { FoldEvent } from './events.ts';
export { initialState, needsState, type StepResult, stepBlock } from './fold.ts';
export { compareOrderKeys, type OrderKey } from './order-key.ts';
export {
  type Arrival,
  decodePayload,
  encodePayload,
  intakeScope,
  isBundleUrl,
  isHotkeyName,
  type PaymentPointer,
  type ProposalPayload,
  payloadDigest,
  payloadText,
  reservationId,
} from './payload.ts';
export { type ConsensusSource, needsOwner, policyOf, restartState } from './policy.ts';
export { type CohortRecord, type Disposition, type RecordMember, type RecordSide, recordDigest } from './record.ts';
export { AddressCache, compareAddresses, decodeAddress, encodeAddress, isAddressForm } from './ss58.ts';
export type * from './state.ts';
export { parseFoldState, serializeFoldState } from './state-codec.ts';
export { stateDigest } from './state-digest.ts';
export { type PeerTrouble, troublesOf } from './troubles.ts';
export type * from './types.ts';
