import { ObjectReader } from '../../evaluator/fields/index.ts';
import { canonicalDigest } from '../../evaluator/identity/index.ts';

/** The hotkey's statement that a node key acts for it (`names.md`, binding). */
export interface Binding {
  readonly schema_version: 1;
  /** "0x" and 64 hex digits. */
  readonly genesis_hash: string;
  readonly netuid: number;
  /** SS58, prefix 42. */
  readonly hotkey: string;
  readonly peer_id: string;
  /** Ed25519, 64 hex digits. */
  readonly node_public_key: string;
  /** Of several bindings of one hotkey the one with the highest epoch is valid. */
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

/** Checks a 64-byte signature by a hotkey (SS58) over a message; passed in by the node, which holds the schemes. */
export type HotkeyVerifier = (
  scheme: SignedBinding['scheme'],
  hotkey: string,
  message: Uint8Array,
  signature: Uint8Array,
) => boolean;

const GENESIS = /^0x[0-9a-f]{64}$/;
const SS58 = /^[1-9A-HJ-NP-Za-km-z]{46,49}$/;
const PEER_ID = /^[1-9A-HJ-NP-Za-km-z]{40,64}$/;
const SIGNATURE = /^[0-9a-f]{128}$/;
const NETUID_MAX = 0xffff;

/** Reads a signed binding; says nothing about whether it is true. @throws FieldError */
export function parseSignedBinding(value: unknown, at = 'binding'): SignedBinding {
  const outer = new ObjectReader(value, at, ['binding', 'scheme', 'signature']);
  const inner = new ObjectReader(outer.raw('binding'), outer.at('binding'), [
    'schema_version',
    'genesis_hash',
    'netuid',
    'hotkey',
    'peer_id',
    'node_public_key',
    'epoch',
    'expires_height',
  ]);
  return {
    binding: {
      schema_version: inner.literal('schema_version', 1),
      genesis_hash: inner.text('genesis_hash', GENESIS),
      netuid: inner.integer('netuid', 0, NETUID_MAX),
      hotkey: inner.text('hotkey', SS58),
      peer_id: inner.text('peer_id', PEER_ID),
      node_public_key: inner.hexDigest('node_public_key'),
      epoch: inner.integer('epoch', 0),
      expires_height: inner.integer('expires_height', 0),
    },
    scheme: outer.oneOf('scheme', ['sr25519', 'ed25519']),
    signature: outer.text('signature', SIGNATURE),
  };
}

/** CD("cacheon.peer.binding.v1", binding). */
export function bindingDigest(binding: Binding): string {
  return canonicalDigest('cacheon.peer.binding.v1', binding);
}

/** The bytes a hotkey signs; wrapped, so that wallets sign them as a message and never as an extrinsic. */
export function bindingMessage(binding: Binding): Uint8Array {
  return Buffer.from(`<Bytes>cacheon-binding-v1:${bindingDigest(binding)}</Bytes>`, 'utf8');
}
