export {
  type Binding,
  bindingDigest,
  bindingMessage,
  type HotkeyVerifier,
  parseSignedBinding,
  type SignedBinding,
} from './binding/binding.ts';
export { PEER_ERRORS, PeerError, type PeerErrorCode } from './errors.ts';
export {
  createNodeKey,
  type NodeKey,
  nodeKeyFromSeed,
  parseNodeKey,
  peerIdOfPublicKey,
  serializeNodeKey,
  verifyNodeSignature,
} from './host/key.ts';
export {
  ANNOUNCEMENT_MAX_BYTES,
  BLOB_CHUNK_BYTES,
  BLOB_MAX_BYTES,
  DEFAULT_LIMITS,
  type NetworkLimits,
  WANT_MAX_DIGESTS,
} from './limits.ts';
export { createPeerNetwork } from './network.ts';
export type {
  BlobSource,
  Clock,
  FetchOptions,
  KnownPeer,
  Logger,
  NetworkCounter,
  NetworkDescription,
  NetworkMetrics,
  PeerIdentity,
  PeerInfo,
  PeerNetwork,
  PeerNetworkDeps,
  PeerNetworkOptions,
  Verdict,
} from './types.ts';
