import { ObjectReader } from '../fields/index.ts';
import { canonicalDigest } from '../identity/index.ts';

/** What executes WASM lanes: versions and platform as Node reports them, and the compiler's version. */
export interface Runtime {
  readonly node: string;
  readonly v8: string;
  readonly platform: string;
  readonly arch: string;
  readonly compiler: string;
}

const KEYS = ['node', 'v8', 'platform', 'arch', 'compiler'] as const;
/** Printable ASCII: versions as their makers spell them, `assemblyscript 0.28.20, binaryen 123.0.0` too. */
const VERSION = /^[\x20-\x7e]{1,96}$/;

/** @throws FieldError naming the field */
export function parseRuntime(value: unknown, at = 'runtime'): Runtime {
  const reader = new ObjectReader(value, at, KEYS);
  return Object.fromEntries(KEYS.map((key) => [key, reader.text(key, VERSION)])) as unknown as Runtime;
}

/** CD("cacheon.runtime.v1", runtime) (`names.md`). A node whose runtime differs refuses to measure. */
export function runtimeDigest(runtime: Runtime): string {
  return canonicalDigest('cacheon.runtime.v1', runtime);
}
