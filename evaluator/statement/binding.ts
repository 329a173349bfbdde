import { FieldError, ObjectReader } from '../fields/index.ts';
import { canonicalBytes, canonicalDigest, IdentityError, parseStrictJson } from '../identity/index.ts';
import { StatementError } from './errors.ts';

/** Bytes of a stored binding. */
export const BINDING_MAX_BYTES = 4096;

/** Ties a node's key and peer id to a hotkey (`names.md`, binding). */
export interface Binding {
  readonly schema_version: 1;
  /** "0x" + 64 hex. */
  readonly genesis_hash: string;
  readonly netuid: number;
  /** SS58, prefix 42. */
  readonly hotkey: string;
  readonly peer_id: string;
  /** Raw Ed25519 key, 64 hex digits. */
  readonly node_public_key: string;
  /** Grows with every new binding of this hotkey. */
  readonly epoch: number;
  /** Finalized height from which it no longer holds. */
  readonly expires_height: number;
}

export interface SignedBinding {
  readonly binding: Binding;
  readonly scheme: 'sr25519' | 'ed25519';
  /** 128 hex digits. */
  readonly signature: string;
}

/** Checks a 64-byte signature by a hotkey over a message; passed in, because the rules hold no sr25519. */
export type HotkeyVerifier = (
  scheme: SignedBinding['scheme'],
  hotkey: string,
  message: Uint8Array,
  signature: Uint8Array,
) => boolean;

const KEYS = [
  'schema_version',
  'genesis_hash',
  'netuid',
  'hotkey',
  'peer_id',
  'node_public_key',
  'epoch',
  'expires_height',
] as const;
const MAX_HEIGHT = 2 ** 50;

/** CD("cacheon.peer.binding.v1", binding). */
export function bindingDigest(binding: Binding): string {
  return canonicalDigest('cacheon.peer.binding.v1', binding);
}

/** The bytes a hotkey signs; wrapped, so that wallets sign them as a message and never as an extrinsic. */
export function bindingMessage(binding: Binding): Uint8Array {
  return Buffer.from(`<Bytes>cacheon-binding-v1:${bindingDigest(binding)}</Bytes>`, 'utf8');
}

/** The canonical bytes a signed binding is stored and sent as. */
export function signedBindingBytes(signed: SignedBinding): Uint8Array {
  return canonicalBytes(signed);
}

/**
 * Reads a signed binding strictly; its signature is not checked.
 * @throws StatementError BINDING_MALFORMED
 */
export function parseSignedBinding(bytes: Uint8Array): SignedBinding {
  try {
    return readSignedBinding(parseStrictJson(bytes, BINDING_MAX_BYTES));
  } catch (cause) {
    if (cause instanceof FieldError || cause instanceof IdentityError) {
      throw new StatementError('BINDING_MALFORMED', cause.message, { cause });
    }
    throw cause;
  }
}

/**
 * Checks that the hotkey signed the binding.
 * @throws StatementError BINDING_SIGNATURE
 */
export function verifyBinding(signed: SignedBinding, verifier: HotkeyVerifier): void {
  const signature = Buffer.from(signed.signature, 'hex');
  const isSigned = verifier(signed.scheme, signed.binding.hotkey, bindingMessage(signed.binding), signature);
  if (!isSigned) throw new StatementError('BINDING_SIGNATURE');
}

function readSignedBinding(value: unknown): SignedBinding {
  const reader = new ObjectReader(value, 'signed', ['binding', 'scheme', 'signature']);
  const row = new ObjectReader(reader.raw('binding'), 'binding', KEYS);
  return {
    binding: {
      schema_version: row.literal('schema_version', 1),
      genesis_hash: row.text('genesis_hash', /^0x[0-9a-f]{64}$/),
      netuid: row.integer('netuid', 0, 65_535),
      hotkey: row.text('hotkey', /^[1-9A-HJ-NP-Za-km-z]{46,50}$/),
      peer_id: row.text('peer_id', /^[1-9A-HJ-NP-Za-km-z]{16,128}$/),
      node_public_key: row.digest('node_public_key'),
      epoch: row.integer('epoch', 0),
      expires_height: row.integer('expires_height', 1, MAX_HEIGHT),
    },
    scheme: reader.oneOf('scheme', ['sr25519', 'ed25519']),
    signature: reader.text('signature', /^[0-9a-f]{128}$/),
  };
}
