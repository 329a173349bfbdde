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
export { PEER_ERRORS, PeerError, type PeerErrorCode } from './errors.ts';
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
export { AddressCache, compareAddresses, decodeAddress, encodeAddress, isAddressForm } from './ss58.ts';
export type * from './types.ts';
