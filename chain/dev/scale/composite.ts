import { DevChainError } from '../errors.ts';
import { type Codec, type Fields, shapeOf, type TypeParameter, type TypeShape } from './shape.ts';

type Members<T> = { readonly [K in keyof T]: Codec<T[K]> };

/** Named fields in the order written; camelCase keys become the snake_case names of the metadata. */
export function named<T extends object>(members: Members<T>): Fields<T> {
  const entries = Object.entries(members) as [string, Codec<unknown>][];
  return {
    fields: entries.map(([key, codec]) => ({ name: snakeCase(key), type: codec.shape })),
    encode: (value, out) => {
      const record = value as Readonly<Record<string, unknown>>;
      for (const [key, codec] of entries) codec.encode(record[key], out);
    },
    decode: (input) => Object.fromEntries(entries.map(([key, codec]) => [key, codec.decode(input)])) as T,
  };
}

/** Fields without names, as a tuple value. */
export function unnamed<const T extends readonly unknown[]>(
  ...items: { readonly [I in keyof T]: Codec<T[I]> }
): Fields<T> {
  return {
    fields: items.map((item) => ({ name: null, type: item.shape })),
    encode: (values, out) => {
      for (const [index, item] of items.entries()) item.encode(values[index], out);
    },
    decode: (input) => items.map((item) => item.decode(input)) as unknown as T,
  };
}

/** One field without a name, as the bare value. */
export function wrapped<T>(item: Codec<T>): Fields<T> {
  return { fields: [{ name: null, type: item.shape }], encode: item.encode, decode: item.decode };
}

export const noFields: Fields<null> = { fields: [], encode: () => undefined, decode: () => null };

/** A struct; `path` is its Rust path. */
export function struct<T>(path: string, fields: Fields<T>, params: readonly TypeParameter[] = []): Codec<T> {
  return {
    shape: shapeOf({ kind: 'composite', fields: fields.fields }, path, params),
    encode: fields.encode,
    decode: fields.decode,
  };
}

export interface Variant<T> {
  readonly index: number;
  readonly fields: Fields<T>;
}

export type VariantValue<S> = {
  readonly [K in keyof S & string]: {
    readonly kind: K;
    readonly value: S[K] extends Variant<infer T> ? T : never;
  };
}[keyof S & string];

/** An enum with explicit indices; a value is `{ kind, value }`. */
export function variant<const S extends Readonly<Record<string, Variant<unknown> | Variant<never>>>>(
  path: string,
  variants: S,
  params: readonly TypeParameter[] = [],
): Codec<VariantValue<S>> {
  const entries = Object.entries(variants) as [string, Variant<unknown>][];
  const byKind = new Map(entries);
  const byIndex = new Map(entries.map(([kind, { index }]) => [index, kind]));
  return {
    shape: variantShape(path, entries, params),
    encode: (value, out) => {
      const chosen = byKind.get(value.kind)!;
      out.u8(chosen.index);
      chosen.fields.encode(value.value, out);
    },
    decode: (input) => {
      const kind = byIndex.get(input.u8());
      if (kind === undefined) throw new DevChainError('SCALE_MALFORMED', `no such variant of ${path}`);
      return { kind, value: byKind.get(kind)!.fields.decode(input) } as unknown as VariantValue<S>;
    },
  };
}

/** An enum without fields, as its variant's name. */
export function plainEnum<const N extends string>(path: string, names: readonly N[]): Codec<N> {
  return {
    shape: shapeOf({ kind: 'variant', variants: names.map((name, index) => ({ name, index, fields: [] })) }, path),
    encode: (value, out) => out.u8(names.indexOf(value)),
    decode: (input) => {
      const name = names[input.u8()];
      if (name === undefined) throw new DevChainError('SCALE_MALFORMED', `no such variant of ${path}`);
      return name;
    },
  };
}

export function variantShape(
  path: string,
  entries: readonly (readonly [string, { readonly index: number; readonly fields: Pick<Fields<unknown>, 'fields'> }])[],
  params: readonly TypeParameter[] = [],
): TypeShape {
  const variants = entries.map(([name, { index, fields }]) => ({ name, index, fields: fields.fields }));
  return shapeOf({ kind: 'variant', variants }, path, params);
}

function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
