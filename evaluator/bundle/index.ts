import { hashedFiles, type JsonObject, type TreeFile } from '../identity/index.ts';
import { checkDisjoint, type Domain, rowDomain } from './domain.ts';
import { BundleError } from './errors.ts';
import { type CatalogTarget, checkFeatures, observedFeatures, resolveTarget } from './features.ts';
import { readManifestHead } from './manifest.ts';
import { type MetadataProjection, projectedBytes, projectMetadata } from './metadata/project.ts';
import { type OpsRow, readOpsRows } from './ops.ts';
import { checkFileList } from './paths.ts';
import { selectedPayload, selectedPayloadDigest } from './payload.ts';
import { screenFiles } from './screen.ts';
import { readManifestToml } from './toml.ts';

export { BUNDLE_ERRORS, BundleError, type BundleErrorCode } from './errors.ts';
export type { CatalogTarget } from './features.ts';
export { WASM_ABI } from './manifest.ts';
export { checkFileList } from './paths.ts';
export { MATERIALIZER_POLICY_VERSION } from './payload.ts';

/** A row with its files and the calls it serves. */
export interface ResolvedRow extends OpsRow {
  readonly domain: Domain;
  readonly files: readonly TreeFile[];
}

/** A bundle that resolved to exactly one registered target. */
export interface ResolvedBundle<T extends CatalogTarget = CatalogTarget> {
  readonly target: T;
  readonly features: readonly string[];
  readonly rows: readonly ResolvedRow[];
  readonly payload: JsonObject;
  readonly payloadDigest: string;
  /** Projected metadata bytes by path, as the tree emits them. */
  readonly metadata: ReadonlyMap<string, Uint8Array>;
}

/**
 * Admits a WASM bundle as data: stages 1 to 8 of `bundle-format.md` section 1 with the differences of
 * `wasm-arena.md` section 4. Nothing of the bundle runs.
 * @param files the bundle's files; what the content hash skips is ignored
 * @param targets the catalog's targets
 * @throws BundleError, the candidate's fault, naming the field
 */
export function resolveBundle<T extends CatalogTarget>(
  files: readonly TreeFile[],
  targets: readonly T[],
): ResolvedBundle<T> {
  const hashed = hashedFiles(files);
  checkFileList(hashed);
  const head = readManifestHead(readManifestToml(hashed));
  const rows = readOpsRows(head.ops, hashed);
  if (hashed.some((file) => file.path === 'rebuild.json')) {
    throw new BundleError('BUNDLE_FILE_REFUSED', 'this arena has no rebuild steps', { field: 'rebuild.json' });
  }
  const features = observedFeatures(rows);
  const target = resolveTarget(rows, head.competition, targets);
  checkFeatures(features, target);
  const byPath = new Map(hashed.map((file) => [file.path, file]));
  const projections = projectAll(rows, byPath);
  const resolved = rows.map((row, i) => ({
    ...row,
    domain: rowDomain(row.metadata === null ? null : (projections.get(row.metadata) ?? null), `ops[${i}]`),
    files: [row.source, ...row.wasmSources].map((path) => byPath.get(path) as TreeFile),
  }));
  checkDisjoint(resolved);
  const metadata = new Map([...projections].map(([path, projection]) => [path, projectedBytes(projection)]));
  const payload = selectedPayload(head.abiVersion, rows, hashed, metadata);
  screenFiles(hashed, rows);
  return { target, features, rows: resolved, payload, payloadDigest: selectedPayloadDigest(payload), metadata };
}

function projectAll(rows: readonly OpsRow[], files: ReadonlyMap<string, TreeFile>): Map<string, MetadataProjection> {
  const paths = new Set(rows.map((row) => row.metadata).filter((path) => path !== null));
  return new Map([...paths].map((path) => [path, projectMetadata(files.get(path) as TreeFile)]));
}
