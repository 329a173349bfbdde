import { ObjectReader } from '../fields/index.ts';
import { canonicalDigest } from '../identity/index.ts';

/** What an arena fixes (`names.md`, Arena, evaluation, launch). */
export interface Arena {
  readonly schema_version: 1;
  readonly name: string;
  readonly backend: 'wasm' | 'oci';
  readonly engine_digest: string;
  readonly model_digest: string;
  readonly workload_digest: string;
  readonly topology: string;
  readonly lane_slots: 2;
}

const KEYS = [
  'schema_version',
  'name',
  'backend',
  'engine_digest',
  'model_digest',
  'workload_digest',
  'topology',
  'lane_slots',
] as const;
const NAME = /^[a-z0-9][a-z0-9._-]{0,95}$/;

/** @throws FieldError naming the field */
export function parseArena(value: unknown, at = 'arena'): Arena {
  const reader = new ObjectReader(value, at, KEYS);
  return {
    schema_version: reader.literal('schema_version', 1),
    name: reader.text('name', NAME),
    backend: reader.oneOf('backend', ['wasm', 'oci']),
    engine_digest: reader.digest('engine_digest'),
    model_digest: reader.digest('model_digest'),
    workload_digest: reader.digest('workload_digest'),
    topology: reader.text('topology', NAME),
    lane_slots: reader.literal('lane_slots', 2),
  };
}

/** CD("cacheon.arena.v1", arena). */
export function arenaDigest(arena: Arena): string {
  return canonicalDigest('cacheon.arena.v1', arena);
}
