import { PeerError, type PeerErrorCode } from '../errors.ts';
import { peerIdOfPublicKey } from '../host/key.ts';
import { bindingDigest, bindingMessage, type HotkeyVerifier, type SignedBinding } from './binding.ts';

/** What a binding is held against: our chain as of the last finalized block. */
export interface BindingContext {
  readonly genesisHash: string;
  readonly netuid: number;
  readonly finalizedHeight: number;
  readonly membership: ReadonlySet<string>;
}

/**
 * Checks a binding against the peer id that Noise has proven for the connection; cheap checks first, the hotkey's
 * signature last.
 * @returns the binding's digest
 * @throws PeerError AUTH_*
 */
export function checkBinding(
  signed: SignedBinding,
  remotePeerId: string,
  context: BindingContext,
  verify: HotkeyVerifier,
): string {
  const { binding } = signed;
  if (binding.genesis_hash !== context.genesisHash) throw refuse('AUTH_GENESIS', 'genesis_hash');
  if (binding.netuid !== context.netuid) throw refuse('AUTH_NETUID', 'netuid');
  if (binding.peer_id !== remotePeerId) throw refuse('AUTH_PEER_ID', 'peer_id');
  if (peerIdOfPublicKey(binding.node_public_key) !== remotePeerId) throw refuse('AUTH_NODE_KEY', 'node_public_key');
  if (context.finalizedHeight >= binding.expires_height) throw refuse('AUTH_EXPIRED', 'expires_height');
  if (!context.membership.has(binding.hotkey)) throw refuse('AUTH_NOT_MEMBER', 'hotkey');
  if (!isSigned(signed, verify)) throw refuse('AUTH_HOTKEY_SIGNATURE', 'signature');
  return bindingDigest(binding);
}

/** Libraries throw on points and addresses that do not decode; such a signature is simply not one. */
function isSigned(signed: SignedBinding, verify: HotkeyVerifier): boolean {
  const { scheme, binding } = signed;
  try {
    return verify(scheme, binding.hotkey, bindingMessage(binding), Buffer.from(signed.signature, 'hex'));
  } catch {
    return false;
  }
}

function refuse(code: PeerErrorCode, field: string): PeerError {
  return new PeerError(code, undefined, { field });
}
