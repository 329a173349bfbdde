import {
  JSON_NAMES,
  type JsonName,
  parseEvidenceRoot,
  ROOT_MAX_BYTES,
  type RootEntry,
  readCanonical,
} from '../evidence/index.ts';
import { canonicalBytes, type JsonValue, sha256Hex } from '../identity/index.ts';
import { claim, ensure } from './errors.ts';

type Blob = (sha256: string) => Uint8Array | null;

/** Thrown inside regrade when bytes are not here; never leaves it. */
export class MissingBytes extends Error {
  readonly blobs: readonly string[];
  readonly bundle: boolean;

  constructor(blobs: readonly string[], bundle: boolean) {
    super('bytes are missing');
    this.blobs = blobs;
    this.bundle = bundle;
  }
}

/** Reads the evidence root by digest. @throws MissingBytes, RegradeError ROOT */
export function openRoot(digest: string, blob: Blob): readonly RootEntry[] {
  const bytes = genuine(digest, blob, ROOT_MAX_BYTES);
  if (bytes === null) throw new MissingBytes([digest], false);
  return claim('ROOT', () => parseEvidenceRoot(bytes));
}

/** The files of a result, all of them here and of the size the root says. */
export class EvidenceFiles {
  readonly #bytes: ReadonlyMap<string, Uint8Array>;

  /** @throws MissingBytes naming every blob that is not here; RegradeError FILES */
  constructor(entries: readonly RootEntry[], blob: Blob) {
    const bytes = new Map<string, Uint8Array>();
    const missing = new Set<string>();
    for (const entry of entries) {
      const data = genuine(entry.sha256, blob, Number.MAX_SAFE_INTEGER);
      if (data === null) missing.add(entry.sha256);
      else bytes.set(entry.name, data);
    }
    if (missing.size > 0) throw new MissingBytes([...missing], false);
    for (const entry of entries) {
      ensure(bytes.get(entry.name)?.length === entry.size, 'FILES', `${entry.name}: another size`);
    }
    this.#bytes = bytes;
  }

  has(name: JsonName): boolean {
    return this.#bytes.has(name);
  }

  bytes(name: string): Uint8Array {
    const data = this.#bytes.get(name);
    ensure(data !== undefined, 'FILES', `${name}: missing`);
    return data;
  }

  json(name: JsonName): JsonValue {
    return readCanonical(this.bytes(name), name);
  }

  /** Refuses a file whose bytes are not exactly those of `expected`. */
  requireSame(name: JsonName, expected: unknown): void {
    const same = Buffer.compare(this.bytes(name), canonicalBytes(expected)) === 0;
    ensure(same, 'DERIVED', `${name}: differs from what follows from chain, bundle and secret`);
  }

  /** Names of the output files, sorted. */
  outputs(): string[] {
    return [...this.#bytes.keys()].filter((name) => !(JSON_NAMES as readonly string[]).includes(name)).sort();
  }

  /** Refuses a missing or unexpected JSON file. */
  requireExactly(required: readonly JsonName[], optional: readonly JsonName[]): void {
    for (const name of required) this.bytes(name);
    for (const name of JSON_NAMES) {
      const known = required.includes(name) || optional.includes(name);
      ensure(known || !this.has(name), 'FILES', `${name}: its stage was not reached`);
    }
  }
}

/** Bytes with this digest, or null: a store that returns others does not have them. */
export function genuine(sha256: string, blob: Blob, maxBytes: number): Uint8Array | null {
  const bytes = blob(sha256);
  if (bytes === null || (bytes.length <= maxBytes && sha256Hex(bytes) !== sha256)) return null;
  return bytes;
}
