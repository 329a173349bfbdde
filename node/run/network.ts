import { signatureVerify } from '@polkadot/util-crypto';
import { CacheonError } from '../../config/errors.ts';
import type { NodeConfig } from '../../config/schema/index.ts';
import { ed25519PublicKey, parseEnvelope, receiptDigest, verifyEnvelope } from '../../evaluator/statement/index.ts';
import {
  createPeerNetwork,
  type Logger,
  type NodeKey,
  type PeerNetwork,
  type SignedBinding,
  type Verdict,
} from '../../p2p/index.ts';
import type { BlobStore, BundleStore } from '../store/index.ts';
import type { Seals } from './evidence/seal.ts';

export interface NetworkSubject {
  readonly config: NodeConfig;
  readonly genesisHash: string;
  readonly consensusDigest: string;
  readonly nodeKey: NodeKey;
}

export interface NetworkDependencies {
  readonly blobs: BlobStore;
  readonly bundles: BundleStore;
  readonly seals: Seals;
  /** Our binding now. */
  binding(): SignedBinding;
  /** True if an evidence blob is stored in full: others, left by a crash, have no seal and are not shown. */
  isIndexed(digest: string): boolean;
  membership(): ReadonlySet<string>;
  finalizedHeight(): number;
  /** True if this receipt is counted in the cohort that is open now. */
  isCountedReceipt(digest: string): boolean;
  readonly logger: Logger;
}

/** The peer network of a node: what it serves, whom it believes, and which announcements it forwards. */
export function openNetwork(subject: NetworkSubject, dependencies: NetworkDependencies): PeerNetwork {
  const { config } = subject;
  const { blobs, bundles, seals, isIndexed } = dependencies;
  return createPeerNetwork(
    {
      listen: config.p2p.listen,
      announce: config.p2p.announce,
      bootstrap: config.p2p.bootstrap,
      genesisHash: subject.genesisHash,
      netuid: config.network.netuid,
      consensusDigest: subject.consensusDigest,
      allowPrivateAddresses: config.network.preset === 'devnet',
    },
    {
      nodeKey: subject.nodeKey,
      get binding() {
        return dependencies.binding();
      },
      membership: () => dependencies.membership(),
      finalizedHeight: () => dependencies.finalizedHeight(),
      verifyHotkeySignature: (scheme, hotkey, message, signature) => {
        const { isValid, crypto } = signatureVerify(message, signature, hotkey);
        return isValid && crypto === scheme;
      },
      blobs: {
        // A bundle's pack is the preimage of its content hash, so both stores answer for SHA-256 digests.
        size: async (digest) => (isIndexed(digest) ? blobs : bundles).size(digest),
        read: async (digest, offset, length) => (isIndexed(digest) ? blobs : bundles).read(digest, offset, length),
        mayServe: (digest) => seals.mayServe(digest),
      },
      validateAnnouncement: (envelope) =>
        judgeAnnouncement(envelope, (digest) => dependencies.isCountedReceipt(digest)),
      clock: {
        now: () => performance.now(),
        setTimeout: (callback, ms) => setTimeout(callback, ms),
        clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
      },
      logger: dependencies.logger,
      metrics: null,
    },
  );
}

/**
 * An announcement is forwarded only if the chain already names its receipt: then the author's hotkey stands behind it.
 * Malformed ones are refused; what names no counted receipt may only be early or late.
 */
export function judgeAnnouncement(envelope: Uint8Array, isCounted: (receipt: string) => boolean): Verdict {
  try {
    const { statement, keyId } = parseEnvelope(envelope);
    if (!isCounted(receiptDigest(statement))) return 'ignore';
    verifyEnvelope(envelope, ed25519PublicKey(Buffer.from(keyId, 'hex')));
    return 'accept';
  } catch (error) {
    if (error instanceof CacheonError) return 'reject';
    throw error;
  }
}
