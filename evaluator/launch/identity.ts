import { canonicalDigest } from '../identity/index.ts';

/** Which process a launch is: baseline, candidate, audit, or pristine reference. */
export type LaunchRole = 'B' | 'C' | 'B_prime' | 'A' | 'T';

/** Identity of one launched engine (`names.md`, launch_digest). Host facts are kept beside it, never in it. */
export interface LaunchIdentity {
  readonly tree_digest: string;
  /** Digest over the compiled modules, null where there are none. */
  readonly native_publication_digest: string | null;
  readonly model_digest: string;
  readonly tokenizer_digest: string;
  /** OCI image, null for WASM. */
  readonly image_digest: string | null;
  readonly topology: string;
  readonly lane_slot: 0 | 1;
  readonly graph_mode: 'eager' | 'cuda_graph';
  readonly flags: readonly string[];
  readonly workload_digest: string;
  readonly prompts_digest: string;
  readonly role: LaunchRole;
  readonly protocol_version: number;
  readonly seam_bindings: readonly SeamBinding[];
}

/** A slot that a module of the launch replaces. */
export interface SeamBinding {
  readonly slot: string;
  readonly variant: string;
}

/** A compiled module of a launch, by the digest of its bytes. */
export interface PublishedModule extends SeamBinding {
  readonly sha256: string;
}

/** CD("cacheon.launch.v1", identity). */
export function launchDigest(identity: LaunchIdentity): string {
  return canonicalDigest('cacheon.launch.v1', identity);
}

/** Digest over the compiled modules of a launch in their order; null if it has none. */
export function nativePublicationDigest(modules: readonly PublishedModule[]): string | null {
  if (modules.length === 0) return null;
  return canonicalDigest('cacheon.native.publication.v1', {
    modules: modules.map(({ slot, variant, sha256 }) => ({ slot, variant, sha256 })),
  });
}

/** Digest over the prompts a launch may be given, in order. */
export function promptsDigest(promptDigests: readonly string[]): string {
  return canonicalDigest('cacheon.launch.prompts.v1', { prompts: promptDigests });
}
