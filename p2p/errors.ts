import { CacheonError, type ErrorDetails, type ErrorTable } from '../config/errors.ts';

export type PeerErrorCode =
  | 'NETWORK_STOPPED'
  | 'NODE_KEY_INVALID'
  | 'ADDRESS_INVALID'
  | 'ADDRESS_PRIVATE'
  | 'ANNOUNCEMENT_TOO_LARGE'
  | 'FRAME_TOO_LARGE'
  | 'FRAME_MALFORMED'
  | 'STREAM_ENDED'
  | 'STREAM_OVERFLOW'
  | 'STREAM_REFUSED'
  | 'DEADLINE'
  | 'RATE_LIMITED'
  | 'AUTH_CONSENSUS'
  | 'AUTH_GENESIS'
  | 'AUTH_NETUID'
  | 'AUTH_PEER_ID'
  | 'AUTH_NODE_KEY'
  | 'AUTH_EXPIRED'
  | 'AUTH_EPOCH'
  | 'AUTH_NOT_MEMBER'
  | 'AUTH_HOTKEY_SIGNATURE'
  | 'AUTH_NODE_SIGNATURE'
  | 'AUTH_NONCE'
  | 'AUTH_BANNED'
  | 'AUTH_DUPLICATE'
  | 'AUTH_REFUSED'
  | 'AUTH_REQUIRED'
  | 'DIAL_FAILED'
  | 'BLOB_UNAVAILABLE'
  | 'BLOB_TOO_LARGE'
  | 'BLOB_DIGEST'
  | 'BLOB_SOURCE'
  | 'WANT_TOO_MANY';

/** Errors of the peer network. Those of fault `peer` cost that peer score; none of them ever changes a result. */
export const PEER_ERRORS: ErrorTable<PeerErrorCode> = {
  NETWORK_STOPPED: { fault: 'infrastructure', what: 'the peer network is not running', remedy: 'call start() first' },
  NODE_KEY_INVALID: { fault: 'operator', what: 'the node key cannot be read', remedy: 'a 32-byte Ed25519 seed in hex' },
  ADDRESS_INVALID: {
    fault: 'operator',
    what: 'not an address that can be dialed',
    remedy: 'a TCP multiaddr such as /ip4/192.0.2.1/tcp/9740, or host:port',
  },
  ADDRESS_PRIVATE: {
    fault: 'operator',
    what: 'a loopback, private or unspecified address',
    remedy: 'a public address, or allow private addresses in the configuration (devnet)',
  },
  ANNOUNCEMENT_TOO_LARGE: { fault: 'operator', what: 'announcement too large', remedy: 'at most 16 KiB' },
  FRAME_TOO_LARGE: { fault: 'peer', what: 'frame too large', remedy: 'at most 16 KiB' },
  FRAME_MALFORMED: {
    fault: 'peer',
    what: 'frame is not what the protocol expects',
    remedy: 'canonical JSON as specified',
  },
  STREAM_ENDED: { fault: 'infrastructure', what: 'the stream ended early', remedy: 'try again or ask another peer' },
  STREAM_OVERFLOW: { fault: 'peer', what: 'more bytes than were asked for', remedy: 'one reply per request' },
  STREAM_REFUSED: { fault: 'infrastructure', what: 'the peer refused the stream', remedy: 'ask another peer' },
  DEADLINE: { fault: 'infrastructure', what: 'deadline exceeded', remedy: 'try again or ask another peer' },
  RATE_LIMITED: { fault: 'peer', what: 'too many requests', remedy: 'ask more slowly' },
  AUTH_CONSENSUS: {
    fault: 'peer',
    what: 'the peer follows another consensus object',
    remedy: 'both nodes must reach the same activation height with the same object',
  },
  AUTH_GENESIS: { fault: 'peer', what: 'the binding is of another chain', remedy: 'a binding with our genesis hash' },
  AUTH_NETUID: { fault: 'peer', what: 'the binding is of another subnet', remedy: 'a binding with our netuid' },
  AUTH_PEER_ID: { fault: 'peer', what: 'the binding is of another peer id', remedy: 'the peer id of the connection' },
  AUTH_NODE_KEY: { fault: 'peer', what: 'node key and peer id do not match', remedy: 'the Ed25519 key of the peer id' },
  AUTH_EXPIRED: { fault: 'peer', what: 'the binding has expired', remedy: 'sign a new binding with the hotkey' },
  AUTH_EPOCH: { fault: 'peer', what: 'a binding of a higher epoch is known', remedy: 'use the newest binding' },
  AUTH_NOT_MEMBER: {
    fault: 'peer',
    what: 'the hotkey is not registered',
    remedy: 'a hotkey of the finalized metagraph',
  },
  AUTH_HOTKEY_SIGNATURE: { fault: 'peer', what: 'bad hotkey signature', remedy: 'the hotkey signs the binding digest' },
  AUTH_NODE_SIGNATURE: { fault: 'peer', what: 'bad node signature', remedy: 'the node key signs this handshake' },
  AUTH_NONCE: { fault: 'peer', what: 'the nonce is ours', remedy: 'a fresh random nonce' },
  AUTH_BANNED: { fault: 'peer', what: 'the hotkey misbehaved recently', remedy: 'wait until the ban ends' },
  AUTH_DUPLICATE: { fault: 'infrastructure', what: 'already connected to this hotkey', remedy: 'nothing to do' },
  AUTH_REFUSED: { fault: 'peer', what: 'the peer refused our handshake', remedy: 'see the reason it gave' },
  AUTH_REQUIRED: { fault: 'peer', what: 'the peer has not authenticated', remedy: 'authenticate first' },
  DIAL_FAILED: { fault: 'infrastructure', what: 'no address of the peer answered', remedy: 'dialing goes on' },
  BLOB_UNAVAILABLE: {
    fault: 'infrastructure',
    what: 'no connected peer delivered the bytes',
    remedy: 'try again later',
  },
  BLOB_TOO_LARGE: {
    fault: 'infrastructure',
    what: 'every holder says the bytes are over the bound',
    remedy: 'raise maxBytes',
  },
  BLOB_DIGEST: { fault: 'peer', what: 'bytes do not have the digest', remedy: 'serve the bytes that were asked for' },
  BLOB_SOURCE: {
    fault: 'infrastructure',
    what: 'the local store gave other bytes than it said',
    remedy: 'check the disk',
  },
  WANT_TOO_MANY: { fault: 'operator', what: 'too many digests in one want list', remedy: 'at most 200' },
};

export class PeerError extends CacheonError<PeerErrorCode> {
  constructor(code: PeerErrorCode, message?: string, details?: ErrorDetails) {
    super(code, PEER_ERRORS[code], message, details);
  }
}

/** The code of a PeerError, or the name of anything else that was thrown: what logs may show. */
export function errorCode(error: unknown): string {
  if (error instanceof CacheonError) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}
