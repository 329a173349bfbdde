import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { CacheonError } from '../../config/errors.ts';
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
const STORED_MAX_BYTES = 16 * 1024;

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

/** The binding of a running node: replaced before it expires, since a node may run for longer than a binding holds. */
export class OwnBindings {
  readonly #path: string;
  readonly #subject: Omit<BindingSubject, 'height'>;
  #current: OwnBinding;

  /** As {@link ensureBinding}. */
  constructor(path: string, subject: BindingSubject) {
    this.#path = path;
    this.#subject = subject;
    this.#current = ensureBinding(path, subject);
  }

  get current(): OwnBinding {
    return this.#current;
  }

  /** Renews it if its end is near. Returns whether it is a new one. */
  renew(height: number): boolean {
    if (holds(this.#current.signed.binding, { ...this.#subject, height })) return false;
    this.#current = ensureBinding(this.#path, { ...this.#subject, height });
    return true;
  }
}

/**
 * The hotkey's binding of this node key: the stored one while it holds, else a new one of a later epoch, stored durably
 * before it is used. Epochs are never below the height they are made at, so that a node whose key folder was lost or
 * restored is not taken for an older one. (`names.md`, binding)
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
    epoch: Math.max((stored?.binding.epoch ?? 0) + 1, subject.height),
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
  try {
    return parseSignedBinding(parseStrictJson(text, STORED_MAX_BYTES));
  } catch (error) {
    // Nothing is lost with it: the hotkey signs another.
    if (error instanceof CacheonError) return null;
    throw error;
  }
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
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
