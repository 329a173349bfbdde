import {
  canonicalDigest,
  compareCodePoints,
  FILE_MODE,
  type JsonObject,
  sha256Hex,
  type TreeFile,
} from '../identity/index.ts';
import type { OpsRow } from './ops.ts';

/** Version of the materializer's rules, part of every payload and tree (`protocol.md` section 11). */
export const MATERIALIZER_POLICY_VERSION = 2;

/**
 * The selected payload: what competes, and nothing else (`bundle-format.md` section 10). Labels, prose, unused files
 * and the layout of TOML are outside it.
 * @param projected projected metadata bytes by path
 */
export function selectedPayload(
  abiVersion: string,
  rows: readonly OpsRow[],
  files: readonly TreeFile[],
  projected: ReadonlyMap<string, Uint8Array>,
): JsonObject {
  const sources = new Set(rows.flatMap((row) => [row.source, ...row.wasmSources]));
  return {
    abi_version: abiVersion,
    files: files
      .filter((file) => sources.has(file.path))
      .sort((a, b) => compareCodePoints(a.path, b.path))
      .map((file) => ({
        mode: FILE_MODE,
        path: file.path,
        role: 'wasm',
        sha256: sha256Hex(file.data),
        size: file.data.length,
      })),
    materializer_policy_version: MATERIALIZER_POLICY_VERSION,
    metadata: [...projected]
      .sort(([a], [b]) => compareCodePoints(a, b))
      .map(([path, bytes]) => ({ path, sha256: sha256Hex(bytes), size: bytes.length })),
    ops: [...rows]
      .sort((a, b) => compareCodePoints(a.slot, b.slot) || compareCodePoints(a.variant, b.variant))
      .map(payloadRow),
    patches: [],
    rebuild: { schema_version: 1, steps: [] },
  };
}

/** CD("cacheon.contribution.selected-payload", payload) */
export function selectedPayloadDigest(payload: JsonObject): string {
  return canonicalDigest('cacheon.contribution.selected-payload', payload);
}

/** Which files a row is compiled from changes what runs, so `wasm_sources` is a key of the row as well. */
function payloadRow(row: OpsRow): JsonObject {
  return {
    architectures: [],
    base_kernel: null,
    cuda_sources: [],
    dtypes: [],
    entry: row.entry,
    metadata: row.metadata,
    override_point: null,
    prepare: row.prepare,
    setup: null,
    slot: row.slot,
    source: row.source,
    variant: row.variant,
    wasm_sources: row.wasmSources,
  };
}
