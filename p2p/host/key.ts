import { createPrivateKey, type KeyObject, sign as nodeSign, verify as nodeVerify, randomBytes } from 'node:crypto';
import { generateKeyPairFromSeed, publicKeyFromRaw } from '@libp2p/crypto/keys';
import type { Ed25519PrivateKey } from '@libp2p/interface';
import { peerIdFromPrivateKey, peerIdFromPublicKey } from '@libp2p/peer-id';
import { ed25519PublicKey } from '../../evaluator/statement/index.ts';
import { PeerError } from '../errors.ts';

/** The Ed25519 key of a node: its peer id, the signer of handshakes and envelopes. The caller stores it (0600). */
export interface NodeKey {
  readonly libp2p: Ed25519PrivateKey;
  readonly peerId: string;
  /** 64 lowercase hex digits. */
  readonly publicKey: string;
  /** The same key as node:crypto wants it, to sign envelopes. */
  readonly privateKey: KeyObject;
  /** Raw Ed25519 signature, 64 bytes. */
  sign(message: Uint8Array): Uint8Array;
}

const SEED_BYTES = 32;
/** PKCS #8 header of an Ed25519 seed (RFC 8410), so that node:crypto takes it. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A fresh node key. */
export async function createNodeKey(): Promise<NodeKey> {
  return nodeKeyFromSeed(randomBytes(SEED_BYTES));
}

/** The node key of a 32-byte seed. @throws PeerError NODE_KEY_INVALID */
export async function nodeKeyFromSeed(seed: Uint8Array): Promise<NodeKey> {
  if (seed.length !== SEED_BYTES) throw new PeerError('NODE_KEY_INVALID');
  const libp2p = await generateKeyPairFromSeed('Ed25519', seed);
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  return {
    libp2p,
    peerId: peerIdFromPrivateKey(libp2p).toString(),
    publicKey: Buffer.from(libp2p.publicKey.raw).toString('hex'),
    privateKey,
    sign: (message) => nodeSign(null, message, privateKey),
  };
}

/** The text under which a node key is stored: its seed as 64 hex digits and a newline. */
export function serializeNodeKey(key: NodeKey): string {
  return `${Buffer.from(key.libp2p.raw.subarray(0, SEED_BYTES)).toString('hex')}\n`;
}

/** Reads what {@link serializeNodeKey} wrote. @throws PeerError NODE_KEY_INVALID */
export async function parseNodeKey(text: string): Promise<NodeKey> {
  const match = /^([0-9a-f]{64})\n?$/.exec(text);
  if (match === null) throw new PeerError('NODE_KEY_INVALID');
  return nodeKeyFromSeed(Buffer.from(match[1] as string, 'hex'));
}

/** The peer id of an Ed25519 public key in hex; null if it is no such key. */
export function peerIdOfPublicKey(publicKey: string): string | null {
  if (!/^[0-9a-f]{64}$/.test(publicKey)) return null;
  try {
    return peerIdFromPublicKey(publicKeyFromRaw(Buffer.from(publicKey, 'hex'))).toString();
  } catch {
    return null;
  }
}

/** Checks a raw Ed25519 signature. Keys in hex. */
export function verifyNodeSignature(publicKey: string, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    return nodeVerify(null, message, ed25519PublicKey(Buffer.from(publicKey, 'hex')), signature);
  } catch {
    return false;
  }
}
