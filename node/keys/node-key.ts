import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { join } from 'node:path';
import { KeyError } from './errors.ts';
import { ensureKeyFolder, readKeyFile, writeKeyFile } from './files.ts';

const NODE_KEY_FILE = 'node.key';
const SEED = /^[0-9a-f]{64}\n?$/;
/** PKCS #8 header of an Ed25519 private key (RFC 8410), before the 32 bytes of the seed. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The node's Ed25519 key: its identity towards peers. The hotkey vouches for it with a binding. */
export interface NodeKey {
  /** 32 bytes; what libp2p makes its key pair from. */
  readonly seed: Uint8Array;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
}

/** Makes `keys/node.key` from 32 random bytes. @throws KeyError KEY_EXISTS, KEY_MODE */
export function createNodeKey(keyFolder: string, randomBytes: (length: number) => Uint8Array): NodeKey {
  ensureKeyFolder(keyFolder);
  const seed = Buffer.from(randomBytes(32));
  writeKeyFile(join(keyFolder, NODE_KEY_FILE), `${seed.toString('hex')}\n`);
  return nodeKeyFromSeed(seed);
}

/** Reads `keys/node.key`. @throws KeyError NODE_KEY_MISSING, KEY_MODE, KEY_MALFORMED */
export function loadNodeKey(keyFolder: string): NodeKey {
  const path = join(keyFolder, NODE_KEY_FILE);
  ensureKeyFolder(keyFolder);
  const text = readOrMissing(path).toString('latin1');
  if (!SEED.test(text)) throw new KeyError('KEY_MALFORMED', 'must be 64 hex digits', { field: path });
  return nodeKeyFromSeed(Buffer.from(text.trimEnd(), 'hex'));
}

/** The key of a 32-byte seed (RFC 8032). */
export function nodeKeyFromSeed(seed: Uint8Array): NodeKey {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  return { seed, publicKey: rawPublicKey(key), sign: (message) => sign(null, message, key) };
}

function rawPublicKey(key: KeyObject): Uint8Array {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
}

function readOrMissing(path: string): Buffer {
  try {
    return readKeyFile(path);
  } catch (error) {
    const isAbsent = (error as { cause?: NodeJS.ErrnoException }).cause?.code === 'ENOENT';
    throw isAbsent ? new KeyError('NODE_KEY_MISSING', undefined, { field: path }) : error;
  }
}
