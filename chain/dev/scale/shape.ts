import type { ScaleReader } from './reader.ts';
import type { ScaleWriter } from './writer.ts';

/** What metadata says of a type (`scale-info`); `typetable.ts` turns shapes into numbered portable types. */
export interface TypeShape {
  readonly path: readonly string[];
  readonly params: readonly TypeParameter[];
  readonly definition: Definition;
}

export interface TypeParameter {
  readonly name: string;
  readonly type: TypeShape | null;
}

export interface FieldShape {
  readonly name: string | null;
  readonly type: TypeShape;
}

export interface VariantShape {
  readonly name: string;
  readonly index: number;
  readonly fields: readonly FieldShape[];
}

export type PrimitiveName = 'bool' | 'str' | 'u8' | 'u16' | 'u32' | 'u64' | 'u128';

export type Definition =
  | { readonly kind: 'composite'; readonly fields: readonly FieldShape[] }
  | { readonly kind: 'variant'; readonly variants: readonly VariantShape[] }
  | { readonly kind: 'sequence'; readonly item: TypeShape }
  | { readonly kind: 'array'; readonly length: number; readonly item: TypeShape }
  | { readonly kind: 'tuple'; readonly items: readonly TypeShape[] }
  | { readonly kind: 'primitive'; readonly primitive: PrimitiveName }
  | { readonly kind: 'compact'; readonly item: TypeShape };

/** One description for three uses: bytes out, bytes in, and the type in the metadata. */
export interface Codec<T> {
  readonly shape: TypeShape;
  encode(value: T, out: ScaleWriter): void;
  decode(input: ScaleReader): T;
}

/** The fields of a struct, a variant or a call's arguments. */
export interface Fields<T> {
  readonly fields: readonly FieldShape[];
  encode(value: T, out: ScaleWriter): void;
  decode(input: ScaleReader): T;
}

export type ValueOf<C> = C extends Codec<infer T> ? T : C extends Fields<infer T> ? T : never;

export function shapeOf(definition: Definition, path = '', params: readonly TypeParameter[] = []): TypeShape {
  return { path: path === '' ? [] : path.split('::'), params, definition };
}
