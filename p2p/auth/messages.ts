import { ObjectReader } from '../../evaluator/fields/index.ts';
import { canonicalDigest } from '../../evaluator/identity/index.ts';
import { parseSignedBinding, type SignedBinding } from '../binding/binding.ts';
import { PEER_ERRORS, PeerError, type PeerErrorCode } from '../errors.ts';
import { ADDRESS_MAX_CHARS, ADDRESSES_PER_PEER } from '../limits.ts';

/**
 * `/cacheon/auth/1.0.0`, on a stream the dialer (a) opens to the listener (b):
 *
 *   a: hello    {addresses, binding, consensus_digest, nonce}
 *   b: welcome  {addresses, binding, consensus_digest, nonce, signature}
 *   a: proof    {signature}
 *   b: accepted {accepted: true}
 *
 * Either side may answer {refused: code} instead, and closes. Both signatures are over the same digest; each is by
 * the node key of its side, so one cannot stand for the other.
 */
export const AUTH_PROTOCOL = '/cacheon/auth/1.0.0';

export interface Hello {
  readonly addresses: readonly string[];
  readonly binding: SignedBinding;
  readonly consensus_digest: string;
  /** 32 random bytes in hex. */
  readonly nonce: string;
}

export interface Welcome extends Hello {
  readonly signature: string;
}

const HELLO_KEYS = ['addresses', 'binding', 'consensus_digest', 'nonce'];
const SIGNATURE = /^[0-9a-f]{128}$/;
const ADDRESS = new RegExp(`^/[\\x21-\\x7e]{1,${ADDRESS_MAX_CHARS - 1}}$`);
const CODE = /^[A-Z_]{1,40}$/;

function readHello(reader: ObjectReader): Hello {
  return {
    addresses: reader.texts('addresses', ADDRESS, 0, ADDRESSES_PER_PEER),
    binding: parseSignedBinding(reader.raw('binding')),
    consensus_digest: reader.digest('consensus_digest'),
    nonce: reader.digest('nonce'),
  };
}

/** @throws FieldError; PeerError AUTH_REFUSED */
export function parseHello(value: unknown): Hello {
  return readHello(new ObjectReader(orRefusal(value), 'hello', HELLO_KEYS));
}

/** @throws FieldError; PeerError AUTH_REFUSED */
export function parseWelcome(value: unknown): Welcome {
  const reader = new ObjectReader(orRefusal(value), 'welcome', [...HELLO_KEYS, 'signature']);
  return { ...readHello(reader), signature: reader.text('signature', SIGNATURE) };
}

/** @returns the signature in hex. @throws FieldError; PeerError AUTH_REFUSED */
export function parseProof(value: unknown): string {
  return new ObjectReader(orRefusal(value), 'proof', ['signature']).text('signature', SIGNATURE);
}

/** @throws FieldError; PeerError AUTH_REFUSED */
export function parseAccepted(value: unknown): void {
  new ObjectReader(orRefusal(value), 'accepted', ['accepted']).literal('accepted', true);
}

/** What the other side said instead of its message, if it refused. */
function orRefusal(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'refused')) return value;
  const code = new ObjectReader(value, 'refusal', ['refused']).text('refused', CODE);
  // A duplicate is no disagreement: the other connection goes on.
  if (code === 'AUTH_DUPLICATE') throw new PeerError('AUTH_DUPLICATE');
  throw new PeerError('AUTH_REFUSED', `the peer refused our handshake: ${code}`);
}

/** What we tell a peer that we refuse: the code of a rule, never more. */
export function refusal(error: unknown): { readonly refused: PeerErrorCode } {
  const known = error instanceof PeerError && error.code in PEER_ERRORS;
  return { refused: known ? error.code : 'FRAME_MALFORMED' };
}

/** The digest both node keys sign, as its 32 bytes (`names.md`, Wire between peers); a is the dialer. */
export function authMessage(fields: {
  readonly consensus_digest: string;
  readonly nonce_a: string;
  readonly nonce_b: string;
  readonly peer_a: string;
  readonly peer_b: string;
}): Uint8Array {
  return Buffer.from(canonicalDigest('cacheon.peer.auth.v1', { ...fields }), 'hex');
}
