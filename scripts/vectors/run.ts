import { readdirSync, readFileSync } from 'node:fs';
import { CacheonError } from '../../config/errors.ts';
import type { VectorFamily } from './family.ts';

interface Vector {
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly expect: Record<string, unknown>;
}

interface VectorFile {
  readonly family: string;
  readonly shared: Record<string, unknown>;
  readonly vectors: readonly Vector[];
}

export interface FamilyResult {
  readonly family: string;
  readonly passed: number;
  readonly failures: readonly { readonly name: string; readonly why: string }[];
}

/** Runs every vector of one file. A family that no module of this folder implements is one failure. */
export async function runVectorFile(path: string): Promise<FamilyResult> {
  const file = parseVectors(readFileSync(path, 'utf8'));
  const family = await findFamily(file.family);
  if (family === null) {
    return { family: file.family, passed: 0, failures: [{ name: '(all)', why: 'this family is not implemented' }] };
  }
  const failures: { name: string; why: string }[] = [];
  for (const vector of file.vectors) {
    const why = runVector(family, vector, file.shared);
    if (why !== null) failures.push({ name: vector.name, why });
  }
  return { family: file.family, passed: file.vectors.length - failures.length, failures };
}

function runVector(family: VectorFamily, vector: Vector, shared: Record<string, unknown>): string | null {
  const wantsError = Object.hasOwn(vector.expect, 'error');
  let got: Record<string, unknown>;
  try {
    got = family.run(vector.input, shared);
  } catch (error) {
    if (!(error instanceof CacheonError)) return `untyped exception: ${String(error)}`;
    return wantsError ? null : `refused: ${error.code}: ${error.message}`;
  }
  if (wantsError) return `accepted, but expected: ${String(vector.expect['error'])}`;
  for (const [key, want] of Object.entries(vector.expect)) {
    const difference = firstDifference(want, got[key], key);
    if (difference !== null) return difference;
  }
  return null;
}

/** The path and values of the first place where two JSON values differ, or null. */
export function firstDifference(want: unknown, got: unknown, at: string): string | null {
  if (isRecord(want) && isRecord(got)) {
    for (const key of new Set([...Object.keys(want), ...Object.keys(got)])) {
      const difference = firstDifference(want[key], got[key], `${at}.${key}`);
      if (difference !== null) return difference;
    }
    return null;
  }
  if (Array.isArray(want) && Array.isArray(got)) {
    for (let i = 0; i < Math.max(want.length, got.length); i++) {
      const difference = firstDifference(want[i], got[i], `${at}[${i}]`);
      if (difference !== null) return difference;
    }
    return null;
  }
  const same = want === got || (isInteger(want) && isInteger(got) && BigInt(want) === BigInt(got));
  return same ? null : `${at}: expected ${show(want)}, got ${show(got)}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

function show(value: unknown): string {
  const text = JSON.stringify(value, (_key, v) => (typeof v === 'bigint' ? `${v}` : v)) ?? String(value);
  return text.length > 160 ? `${text.slice(0, 160)}...` : text;
}

/** Vector files may hold fractions (speed) and integers beyond 2^53; the latter become bigints. */
function parseVectors(text: string): VectorFile {
  type Context = { source?: string };
  const reviver = (_key: string, value: unknown, context?: Context): unknown => {
    const source = context?.source;
    const unsafe = typeof value === 'number' && !Number.isSafeInteger(value);
    return unsafe && source !== undefined && /^-?[0-9]+$/.test(source) ? BigInt(source) : value;
  };
  return JSON.parse(text, reviver as (key: string, value: unknown) => unknown) as VectorFile;
}

async function findFamily(name: string): Promise<VectorFamily | null> {
  const files = readdirSync(new URL('.', import.meta.url)).filter((file) => file === `${name}.ts`);
  if (files[0] === undefined) return null;
  const module = (await import(new URL(files[0], import.meta.url).href)) as { family?: VectorFamily };
  return module.family ?? null;
}
