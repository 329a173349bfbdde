import { MATERIALIZER_POLICY_VERSION, type ResolvedBundle, type ResolvedRow, WASM_ABI } from '../bundle/index.ts';
import { compareCodePoints, sha256Hex, type TreeFile } from '../identity/index.ts';
import { treeDigest, treeRows } from './inventory.ts';

/** An active contribution, its bytes reopened and resolved. */
export interface TreeContribution {
  readonly targetId: string;
  readonly targetSpecDigest: string;
  readonly contributionRefDigest: string;
  readonly selectedDeltaDigest: string;
  readonly selectedPayloadDigest: string;
  /** Content hash of a proposal's bundle, source tree digest of an integrated contribution. */
  readonly sourceDigest: string;
  readonly sourceKind: 'proposal_artifact' | 'integrated_source';
  readonly bundle: ResolvedBundle;
}

export interface MaterializedTree {
  readonly files: readonly TreeFile[];
  readonly digest: string;
}

const METADATA_PATH = 'metadata/cacheon_engine_tree.json';
const RUNTIME_MANIFEST = 'manifest.toml';

/** Namespace of a contribution inside every tree (`protocol.md` section 11). */
export function namespaceOf(selectedDeltaDigest: string): string {
  return `cacheon_c_${selectedDeltaDigest}`;
}

/**
 * Materializes a stack of the WASM arena: `wasm/<namespace>/<path>` with bytes unchanged, projected metadata, one
 * canonical runtime manifest if there are entries, and the inventory. A pure function of stack and sources.
 */
export function materializeWasmTree(stackDigest: string, contributions: readonly TreeContribution[]): MaterializedTree {
  const sorted = [...contributions].sort((a, b) => compareCodePoints(a.targetId, b.targetId));
  const files = sorted.flatMap(contributionFiles);
  if (sorted.length > 0) files.push({ path: RUNTIME_MANIFEST, data: runtimeManifest(sorted) });
  files.push({ path: METADATA_PATH, data: inventory(stackDigest, sorted, files) });
  return { files, digest: treeDigest(files) };
}

function contributionFiles(contribution: TreeContribution): TreeFile[] {
  const namespace = namespaceOf(contribution.selectedDeltaDigest);
  const { bundle } = contribution;
  const sources = new Map(bundle.rows.flatMap((row) => row.files).map((file) => [file.path, file.data]));
  return [
    ...[...sources].map(([path, data]) => ({ path: `wasm/${namespace}/${path}`, data })),
    ...[...bundle.metadata].map(([path, data]) => ({ path: `metadata/${namespace}/${path}`, data })),
  ];
}

function runtimeManifest(contributions: readonly TreeContribution[]): Uint8Array {
  const rows = contributions.flatMap((contribution) => {
    const namespace = namespaceOf(contribution.selectedDeltaDigest);
    return contribution.bundle.rows.map((row) => runtimeRow(namespace, row));
  });
  rows.sort((a, b) => compareCodePoints(a.slot, b.slot) || compareCodePoints(a.variant, b.variant));
  const head = `bundle_id = "cacheon-materialized-v1"\nabi_version = "${WASM_ABI}"\n`;
  return Buffer.from(head + rows.map((row) => row.text).join(''), 'utf8');
}

/** Every value here is an identifier or a canonical path, so that no TOML string needs escaping. */
function runtimeRow(namespace: string, row: ResolvedRow): { slot: string; variant: string; text: string } {
  const lines = [
    `slot = "${row.slot}"`,
    `variant = "${row.variant}"`,
    `source = "wasm/${namespace}/${row.source}"`,
    `entry = "${row.entry}"`,
  ];
  if (row.prepare !== null) lines.push(`prepare = "${row.prepare}"`);
  if (row.metadata !== null) lines.push(`metadata = "metadata/${namespace}/${row.metadata}"`);
  if (row.wasmSources.length > 0) {
    lines.push(`wasm_sources = [${row.wasmSources.map((path) => `"wasm/${namespace}/${path}"`).join(', ')}]`);
  }
  return { slot: row.slot, variant: row.variant, text: `\n[[ops]]\n${lines.join('\n')}\n` };
}

function inventory(stackDigest: string, contributions: readonly TreeContribution[], files: TreeFile[]): Uint8Array {
  const manifest = files.find((file) => file.path === RUNTIME_MANIFEST);
  const document = {
    contributions: contributions.map((c) => ({
      contribution_ref_digest: c.contributionRefDigest,
      namespace: namespaceOf(c.selectedDeltaDigest),
      selected_delta_digest: c.selectedDeltaDigest,
      selected_payload_digest: c.selectedPayloadDigest,
      source_digest: c.sourceDigest,
      source_kind: c.sourceKind,
      target_id: c.targetId,
      target_spec_digest: c.targetSpecDigest,
    })),
    files: treeRows(files).map((row) => ({ mode: row.mode, path: row.path, sha256: row.sha256, size: row.size })),
    materializer_policy_version: MATERIALIZER_POLICY_VERSION,
    runtime_manifest: manifest === undefined ? null : { path: RUNTIME_MANIFEST, sha256: sha256Hex(manifest.data) },
    stack_digest: stackDigest,
  };
  return Buffer.from(`${JSON.stringify(document, null, 2)}\n`, 'utf8');
}
