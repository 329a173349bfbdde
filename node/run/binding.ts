import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { canonicalBytes, canonicalJson, parseStrictJson } from '../../evaluator/identity/index.ts';
import {
  type Binding,
  bindingDigest,
  bindingMessage,
  type NodeKey,
  parseSignedBinding,
  type SignedBinding,
} from '../../p2p/index.ts';

/** Blocks a binding holds, and how many before its end a new one is made: a week and a day of 12-second blocks. */
const LIFE_BLOCKS = 50_400;
const RENEW_BLOCKS = 7_200;

export interface BindingSubject {
  readonly genesisHash: string;
  readonly netuid: number;
  readonly hotkey: string;
  readonly nodeKey: NodeKey;
  /** Finalized height now. */
  readonly height: number;
  /** Raw sr25519 signature of the hotkey. */
  sign(message: Uint8Array): Uint8Array;
}

/** A binding with its digest and the canonical envelope that the digest hashes, as peers fetch it. */
export interface OwnBinding {
  readonly signed: SignedBinding;
  readonly digest: string;
  readonly envelope: Uint8Array;
}

/**
 * The hotkey's binding of this node key: the stored one while it holds, else a new one of the next epoch, stored
 * durably before it is used. (`names.md`, binding)
 */
export function ensureBinding(path: string, subject: BindingSubject): OwnBinding {
  const stored = readStored(path);
  if (stored !== null && holds(stored.binding, subject)) return described(stored);
  const binding: Binding = {
    schema_version: 1,
    genesis_hash: subject.genesisHash,
    netuid: subject.netuid,
    hotkey: subject.hotkey,
    peer_id: subject.nodeKey.peerId,
    node_public_key: subject.nodeKey.publicKey,
    epoch: (stored?.binding.epoch ?? 0) + 1,
    expires_height: subject.height + LIFE_BLOCKS,
  };
  const signature = Buffer.from(subject.sign(bindingMessage(binding))).toString('hex');
  const signed: SignedBinding = { binding, scheme: 'sr25519', signature };
  writeDurably(path, canonicalJson(signed));
  return described(signed);
}

function described(signed: SignedBinding): OwnBinding {
  const envelope = canonicalBytes({ domain: 'cacheon.peer.binding.v1', payload: signed.binding, schema_version: 1 });
  return { signed, digest: bindingDigest(signed.binding), envelope };
}

function holds(binding: Binding, subject: BindingSubject): boolean {
  return (
    binding.genesis_hash === subject.genesisHash &&
    binding.netuid === subject.netuid &&
    binding.hotkey === subject.hotkey &&
    binding.node_public_key === subject.nodeKey.publicKey &&
    binding.expires_height > subject.height + RENEW_BLOCKS
  );
}

function readStored(path: string): SignedBinding | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return parseSignedBinding(parseStrictJson(text, 16 * 1024));
}

function writeDurably(path: string, text: string): void {
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}
