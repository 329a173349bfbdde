import type { StorageEntryShape } from '../metadata/index.ts';
import { type Codec, decodeAll, encoded, shapeOf } from '../scale/index.ts';
import { entryPrefix, type Hasher } from './hasher.ts';
import type { StateReader, StateWriter } from './state.ts';

/** One key of a map: how it is encoded and how it is hashed. */
export interface KeyPart<K> {
  readonly codec: Codec<K>;
  readonly hasher: Hasher;
}

/**
 * A storage entry with typed access. `K` are the keys, `T` the stored value, `Q` what a query gives:
 * `T` if the entry has a default, `T | null` if it is optional.
 */
export interface StorageItem<K extends readonly unknown[], T, Q> {
  readonly shape: StorageEntryShape;
  readonly prefix: Uint8Array;
  key(...keys: K): Uint8Array;
  get(state: StateReader, ...keys: K): Q;
  put(state: StateWriter, keys: K, value: T): void;
  remove(state: StateWriter, ...keys: K): void;
}

type KeyParts<K extends readonly unknown[]> = { readonly [I in keyof K]: KeyPart<K[I]> };

export const hashed = <K>(hasher: Hasher, codec: Codec<K>): KeyPart<K> => ({ codec, hasher });

/** An entry whose absence means `fallback`. */
export function defaulted<K extends readonly unknown[], T>(
  pallet: string,
  name: string,
  keys: KeyParts<K>,
  value: Codec<T>,
  fallback: T,
): StorageItem<K, T, T> {
  return item(pallet, name, keys, value, 'Default', encoded(value, fallback), fallback);
}

/** An entry whose absence means none. */
export function optional<K extends readonly unknown[], T>(
  pallet: string,
  name: string,
  keys: KeyParts<K>,
  value: Codec<T>,
): StorageItem<K, T, T | null> {
  return item<K, T, T | null>(pallet, name, keys, value, 'Optional', Uint8Array.of(0), null);
}

function item<K extends readonly unknown[], T, Q>(
  pallet: string,
  name: string,
  keys: KeyParts<K>,
  value: Codec<T>,
  modifier: StorageEntryShape['modifier'],
  fallback: Uint8Array,
  absent: T | Q,
): StorageItem<K, T, Q> {
  const parts = keys as readonly KeyPart<unknown>[];
  const prefix = entryPrefix(pallet, name);
  const key = (...values: K): Uint8Array =>
    Buffer.concat([prefix, ...parts.map(({ codec, hasher }, index) => hasher.hash(encoded(codec, values[index])))]);
  const shapes = parts.map(({ codec }) => codec.shape);
  return {
    shape: {
      name,
      modifier,
      fallback,
      hashers: parts.map(({ hasher }) => hasher.name),
      key: shapes.length === 0 ? null : shapes.length === 1 ? shapes[0]! : shapeOf({ kind: 'tuple', items: shapes }),
      value: value.shape,
    },
    prefix,
    key,
    get: (state, ...values) => {
      const bytes = state.read(key(...values));
      return (bytes === null ? absent : decodeAll(value, bytes)) as Q;
    },
    put: (state, values, stored) => state.write(key(...values), encoded(value, stored)),
    remove: (state, ...values) => state.write(key(...values), null),
  };
}
