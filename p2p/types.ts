import type { HotkeyVerifier, SignedBinding } from './binding/binding.ts';
import type { NodeKey } from './host/key.ts';
import type { NetworkLimits } from './limits.ts';

/** Time as the network sees it; tests pass their own. */
export interface Clock {
  /** Milliseconds since any fixed moment. */
  now(): number;
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(handle: unknown): void;
}

export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** What is counted; the same names serve metrics and status. */
export type NetworkCounter =
  | 'dials'
  | 'dials_failed'
  | 'auth_accepted'
  | 'auth_failed'
  | 'guard_refused'
  | 'rate_limited'
  | 'gossip_published'
  | 'gossip_accepted'
  | 'gossip_ignored'
  | 'gossip_rejected'
  | 'gossip_healed'
  | 'blob_chunks_served'
  | 'blob_bytes_served'
  | 'blob_bytes_fetched'
  | 'blob_lies'
  | 'want_served'
  | 'peers_cut'
  | 'peers_banned';

export interface NetworkMetrics {
  increment(counter: NetworkCounter, by: number): void;
}

/** Where the bytes that we serve come from. Sizes and offsets in bytes; digests are SHA-256 in lowercase hex. */
export interface BlobSource {
  /** Size of the blob, null if it is not held. */
  size(digest: string): Promise<number | null> | number | null;
  /** Exactly `length` bytes from `offset`. */
  read(digest: string, offset: number, length: number): Promise<Uint8Array> | Uint8Array;
  /** False while the blob is held back (`peer-protocol.md` section 5: own results until o is finalized). */
  mayServe(digest: string): boolean;
}

/** The neighbour from which something came: on gossip it is who forwarded, not who wrote. */
export interface PeerIdentity {
  readonly peerId: string;
  readonly hotkey: string;
}

export type Verdict = 'accept' | 'ignore' | 'reject';

export interface PeerNetworkOptions {
  /** TCP multiaddrs, e.g. /ip4/0.0.0.0/tcp/9740. */
  readonly listen: readonly string[];
  /** Multiaddrs told to peers, at most 4; empty: those of the listeners that may be announced. */
  readonly announce: readonly string[];
  /** Multiaddrs with or without /p2p/, or host:port. */
  readonly bootstrap: readonly string[];
  /** "0x" and 64 hex digits. */
  readonly genesisHash: string;
  readonly netuid: number;
  readonly consensusDigest: string;
  readonly allowPrivateAddresses: boolean;
  readonly limits?: Partial<NetworkLimits>;
}

export interface PeerNetworkDeps {
  readonly nodeKey: NodeKey;
  /** Our hotkey's binding of this node key; read at every handshake, so that it may be renewed. */
  readonly binding: SignedBinding;
  /** Hotkeys (SS58, prefix 42) registered at the last finalized metagraph. */
  membership(): ReadonlySet<string>;
  /** Height of the last finalized block: bindings expire by it. */
  finalizedHeight(): number;
  /** Checks a hotkey's signature, sr25519 or ed25519. */
  readonly verifyHotkeySignature: HotkeyVerifier;
  readonly blobs: BlobSource;
  /** Decides about an announcement before it is forwarded; quick, and it never waits for the network. */
  validateAnnouncement(envelope: Uint8Array, from: PeerIdentity): Promise<Verdict> | Verdict;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: NetworkMetrics | null;
}

export interface PeerInfo extends PeerIdentity {
  /** Multiaddr of the connection's other end. */
  readonly address: string;
  readonly authenticated: boolean;
  /** 0 is unblemished, -100 a ban. */
  readonly score: number;
  /** Clock time of the handshake's end, in ms. */
  readonly since: number;
}

export interface FetchOptions {
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  /** Hotkeys to ask first, such as the author's. */
  readonly prefer?: readonly string[];
}

/** A hotkey and where the chain says it listens. */
export interface KnownPeer {
  readonly hotkey: string;
  /** Multiaddrs or host:port, the first four that are usable. */
  readonly addresses: readonly string[];
}

/** What the status page shows of the network. */
export interface NetworkDescription {
  readonly state: 'stopped' | 'running';
  readonly peer_id: string;
  readonly hotkey: string;
  readonly consensus_digest: string;
  readonly topic: string;
  readonly listening: readonly string[];
  readonly announced: readonly string[];
  readonly peers: readonly PeerInfo[];
  /** Connections that have not authenticated (yet). */
  readonly unauthenticated: number;
  readonly targets: readonly {
    readonly addresses: readonly string[];
    readonly hotkey: string | null;
    readonly connected: boolean;
    readonly failures: number;
    readonly last_error: string | null;
  }[];
  readonly counters: Readonly<Record<NetworkCounter, number>>;
}

export interface PeerNetwork {
  /** Listens and starts to dial. Idempotent. */
  start(): Promise<void>;
  /** Closes every stream, connection, listener and timer. Idempotent. */
  stop(): Promise<void>;
  /**
   * Gossips a DSSE envelope (`names.md`).
   * @returns how many neighbours it was handed to; gossip is a hint, never a proof of delivery
   * @throws PeerError ANNOUNCEMENT_TOO_LARGE, NETWORK_STOPPED
   */
  publish(envelope: Uint8Array): Promise<{ readonly recipients: number }>;
  /** Calls the handler with every accepted announcement of others. @returns the function that ends it */
  onAnnouncement(handler: (envelope: Uint8Array, from: PeerIdentity) => void): () => void;
  /**
   * The bytes with this SHA-256, from whichever authenticated peer delivers them; verified.
   * @throws PeerError BLOB_UNAVAILABLE, BLOB_TOO_LARGE, NETWORK_STOPPED; the signal's reason
   */
  fetchBlob(digest: string, options?: FetchOptions): Promise<Uint8Array>;
  /**
   * Asks every authenticated peer which of at most 200 digests it holds.
   * @returns hotkeys per digest; a digest that nobody holds has an empty list
   */
  ask(digests: readonly string[], options?: { signal?: AbortSignal }): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Connects, authenticates and keeps the address among those that are dialed again. */
  dial(address: string, options?: { signal?: AbortSignal }): Promise<PeerInfo>;
  /** Replaces the addresses that come from the chain's axon records. */
  setKnownPeers(peers: readonly KnownPeer[]): void;
  peers(): PeerInfo[];
  /** Addresses on which this node can be reached, with /p2p/. Empty while stopped. */
  addresses(): string[];
  /** Follows another consensus object: every connection is dropped and made anew under the new digest and topic. */
  setConsensusDigest(digest: string): Promise<void>;
  /** Cuts off peers that are no longer members or whose binding has expired; call after every finalized metagraph. */
  refreshMembership(): void;
  describeNetwork(): NetworkDescription;
}
