import { DevChainError } from '../errors.ts';
import { u8 } from './primitives.ts';
import { type Codec, shapeOf, type TypeShape } from './shape.ts';

/** `Vec<T>`. */
export function vec<T>(item: Codec<T>): Codec<readonly T[]> {
  return {
    shape: shapeOf({ kind: 'sequence', item: item.shape }),
    encode: (values, out) => {
      out.compact(values.length);
      for (const value of values) item.encode(value, out);
    },
    decode: (input) => Array.from({ length: input.length() }, () => item.decode(input)),
  };
}

/** `Vec<u8>`. */
export const bytes: Codec<Uint8Array> = {
  shape: shapeOf({ kind: 'sequence', item: u8.shape }),
  encode: (value, out) => {
    out.compact(value.length);
    out.bytes(value);
  },
  decode: (input) => input.bytes(input.length()),
};

/** `[u8; length]`. */
export function fixedBytes(length: number): Codec<Uint8Array> {
  return {
    shape: shapeOf({ kind: 'array', length, item: u8.shape }),
    encode: (value, out) => out.bytes(value),
    decode: (input) => input.bytes(length),
  };
}

/** `BoundedVec<T, limit>`: a newtype in the metadata, a length check in the decoder. */
export function bounded<T>(inner: Codec<T>, item: TypeShape, limit: number): Codec<T> {
  const lengthOf = (value: T): number => (value as { readonly length: number }).length;
  return {
    shape: shapeOf(
      { kind: 'composite', fields: [{ name: null, type: inner.shape }] },
      'bounded_collections::bounded_vec::BoundedVec',
      [
        { name: 'T', type: item },
        { name: 'S', type: null },
      ],
    ),
    encode: inner.encode,
    decode: (input) => {
      const value = inner.decode(input);
      if (lengthOf(value) > limit) throw new DevChainError('SCALE_MALFORMED', `more than ${limit} items`);
      return value;
    },
  };
}

export function boundedBytes(limit: number): Codec<Uint8Array> {
  return bounded(bytes, u8.shape, limit);
}

export function boundedVec<T>(item: Codec<T>, limit: number): Codec<readonly T[]> {
  return bounded(vec(item), item.shape, limit);
}

/** `BTreeSet<T>`: encoded as a vector in ascending order, which the caller keeps. */
export function treeSet<T>(item: Codec<T>): Codec<readonly T[]> {
  const inner = vec(item);
  return {
    shape: shapeOf({ kind: 'composite', fields: [{ name: null, type: inner.shape }] }, 'BTreeSet', [
      { name: 'T', type: item.shape },
    ]),
    encode: inner.encode,
    decode: inner.decode,
  };
}

type Items<T extends readonly unknown[]> = { readonly [I in keyof T]: Codec<T[I]> };

export function tuple<const T extends readonly unknown[]>(...items: Items<T>): Codec<T> {
  return {
    shape: shapeOf({ kind: 'tuple', items: items.map((item) => item.shape) }),
    encode: (values, out) => {
      for (const [index, item] of items.entries()) item.encode(values[index], out);
    },
    decode: (input) => items.map((item) => item.decode(input)) as unknown as T,
  };
}

/** `()`. */
export const unit: Codec<null> = {
  shape: shapeOf({ kind: 'tuple', items: [] }),
  encode: () => undefined,
  decode: () => null,
};

/** `Option<T>`. */
export function option<T>(item: Codec<T>): Codec<T | null> {
  return {
    shape: shapeOf(
      {
        kind: 'variant',
        variants: [
          { name: 'None', index: 0, fields: [] },
          { name: 'Some', index: 1, fields: [{ name: null, type: item.shape }] },
        ],
      },
      'Option',
      [{ name: 'T', type: item.shape }],
    ),
    encode: (value, out) => {
      out.u8(value === null ? 0 : 1);
      if (value !== null) item.encode(value, out);
    },
    decode: (input) => {
      const tag = input.u8();
      if (tag > 1) throw new DevChainError('SCALE_MALFORMED', 'an Option is None or Some');
      return tag === 0 ? null : item.decode(input);
    },
  };
}
