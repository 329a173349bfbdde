import { randomBytes } from 'node:crypto';
import type { Binding, SignedBinding } from '../binding/binding.ts';
import { PeerError } from '../errors.ts';
import { type NodeKey, verifyNodeSignature } from '../host/key.ts';
import { within } from '../wire/deadline.ts';
import type { WireStream } from '../wire/wire-stream.ts';
import {
  authMessage,
  type Hello,
  parseAccepted,
  parseHello,
  parseProof,
  parseWelcome,
  refusal,
  type Welcome,
} from './messages.ts';

/** How long a refused peer has to read why, in ms. */
const REFUSAL_LINGER_MS = 500;

/** Who the other end of a connection has proven to be. */
export interface VerifiedPeer {
  readonly binding: Binding;
  /** Addresses at which it says it listens; unchecked. */
  readonly addresses: readonly string[];
}

export interface HandshakeContext {
  readonly nodeKey: NodeKey;
  readonly binding: SignedBinding;
  readonly consensusDigest: string;
  /** The peer id that Noise has proven. */
  readonly remotePeerId: string;
  readonly addresses: readonly string[];
  /** Checks the binding against the chain. @throws PeerError AUTH_* */
  checkBinding(signed: SignedBinding): void;
  /** Last word before the peer counts as authenticated: bans, epochs, duplicates. @throws PeerError AUTH_* */
  admit(peer: VerifiedPeer): void;
}

/** The dialer's side of `/cacheon/auth/1.0.0`. @throws PeerError, FieldError; the signal's reason */
export async function initiate(wire: WireStream, context: HandshakeContext, signal: AbortSignal): Promise<void> {
  const hello = ourHello(context);
  wire.writeFrame(hello);
  const welcome = parseWelcome(await wire.readFrame(signal));
  const message = transcript(hello, welcome, context.nodeKey.peerId, context.remotePeerId);
  await orRefuse(wire, signal, async () => {
    checkHello(welcome, hello.nonce, context);
    checkSignature(welcome.binding, message, welcome.signature);
  });
  wire.writeFrame({ signature: Buffer.from(context.nodeKey.sign(message)).toString('hex') });
  parseAccepted(await wire.readFrame(signal));
  context.admit(verified(welcome));
}

/** The listener's side. @throws PeerError, FieldError; the signal's reason */
export async function respond(wire: WireStream, context: HandshakeContext, signal: AbortSignal): Promise<void> {
  const nonce = freshNonce();
  const hello = await orRefuse(wire, signal, async () => {
    const parsed = parseHello(await wire.readFrame(signal));
    checkHello(parsed, nonce, context);
    return parsed;
  });
  const own = ourHello(context, nonce);
  const message = transcript(hello, own, context.remotePeerId, context.nodeKey.peerId);
  wire.writeFrame({ ...own, signature: Buffer.from(context.nodeKey.sign(message)).toString('hex') });
  await orRefuse(wire, signal, async () => {
    checkSignature(hello.binding, message, parseProof(await wire.readFrame(signal)));
    context.admit(verified(hello));
  });
  wire.writeFrame({ accepted: true });
}

function ourHello(context: HandshakeContext, nonce = freshNonce()): Hello {
  return {
    addresses: context.addresses,
    binding: context.binding,
    consensus_digest: context.consensusDigest,
    nonce,
  };
}

function freshNonce(): string {
  return randomBytes(32).toString('hex');
}

function transcript(a: Hello, b: Hello | Welcome, peerA: string, peerB: string): Uint8Array {
  return authMessage({
    consensus_digest: a.consensus_digest,
    nonce_a: a.nonce,
    nonce_b: b.nonce,
    peer_a: peerA,
    peer_b: peerB,
  });
}

function checkHello(hello: Hello, ourNonce: string, context: HandshakeContext): void {
  if (hello.consensus_digest !== context.consensusDigest) {
    throw new PeerError('AUTH_CONSENSUS', undefined, { field: 'consensus_digest' });
  }
  if (hello.nonce === ourNonce) throw new PeerError('AUTH_NONCE', undefined, { field: 'nonce' });
  context.checkBinding(hello.binding);
}

/** The binding's key is the one of the proven peer id: {@link HandshakeContext.checkBinding} has seen to that. */
function checkSignature(signed: SignedBinding, message: Uint8Array, signature: string): void {
  if (!verifyNodeSignature(signed.binding.node_public_key, message, Buffer.from(signature, 'hex'))) {
    throw new PeerError('AUTH_NODE_SIGNATURE', undefined, { field: 'signature' });
  }
}

function verified(hello: Hello): VerifiedPeer {
  return { binding: hello.binding.binding, addresses: hello.addresses };
}

/** Tells the peer why before failing, so that an operator can read it on either side. */
async function orRefuse<T>(wire: WireStream, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const told = error instanceof PeerError && error.code === 'AUTH_REFUSED';
    if (!told && !signal.aborted) {
      try {
        wire.writeFrame(refusal(error));
        // The peer reads it and closes: closing first could make the kernel drop what it has not read.
        await within(REFUSAL_LINGER_MS, signal, async (bound) => {
          await wire.close(bound);
          await wire.closed(bound);
        });
      } catch {
        // The peer is gone already; what it did wrong is what is worth reporting.
      }
    }
    throw error;
  }
}
