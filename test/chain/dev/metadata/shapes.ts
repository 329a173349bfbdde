import type { TypeRegistry } from '@polkadot/types';
import type { SiField, SiLookupTypeId } from '@polkadot/types/interfaces';

export type TypeDescription =
  | string
  | readonly TypeDescription[]
  | { readonly fields: Readonly<Record<string, TypeDescription>> }
  | { readonly variants: Readonly<Record<string, unknown>> }
  | { readonly sequence: TypeDescription }
  | { readonly array: TypeDescription; readonly length: number }
  | { readonly compact: TypeDescription };

/**
 * What a type of the metadata encodes to, all numbers of types resolved and newtypes taken off, with the names of fields
 * and variants and their indices. Types whose path `isOpaque` are given by their path only.
 */
export function describeType(
  registry: TypeRegistry,
  id: SiLookupTypeId,
  isOpaque: (path: string) => boolean = () => false,
): TypeDescription {
  const { def, path } = registry.lookup.getSiType(id);
  const name = path.map(String).join('::');
  if (isOpaque(name)) return name.split('::').at(-1)!;
  const inner = (type: SiLookupTypeId): TypeDescription => describeType(registry, type, isOpaque);
  if (def.isPrimitive) return def.asPrimitive.toString();
  if (def.isSequence) return { sequence: inner(def.asSequence.type) };
  if (def.isCompact) return { compact: inner(def.asCompact.type) };
  if (def.isArray) return { array: inner(def.asArray.type), length: def.asArray.len.toNumber() };
  if (def.isTuple) return def.asTuple.map(inner);
  if (def.isVariant) {
    const variants = def.asVariant.variants.map((variant) => [
      variant.name.toString(),
      { index: variant.index.toNumber(), fields: fieldsOf(variant.fields, inner) },
    ]);
    return { variants: Object.fromEntries(variants) };
  }
  const { fields } = def.asComposite;
  if (fields.length === 1 && fields[0]!.name.isNone) return inner(fields[0]!.type);
  return fieldsOf(fields, inner);
}

function fieldsOf(fields: readonly SiField[], inner: (type: SiLookupTypeId) => TypeDescription): TypeDescription {
  const entries = fields.map((field, index) => [
    field.name.isSome ? field.name.unwrap().toString() : `${index}`,
    inner(field.type),
  ]);
  return entries.length === 0 ? [] : { fields: Object.fromEntries(entries) };
}
