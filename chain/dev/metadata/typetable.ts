import type { Definition, FieldShape, PrimitiveName, TypeShape } from '../scale/index.ts';
import { ScaleWriter } from '../scale/index.ts';

const PRIMITIVES: readonly string[] = ['bool', 'char', 'str', 'u8', 'u16', 'u32', 'u64', 'u128'];
const primitiveIndex = (name: PrimitiveName): number => PRIMITIVES.indexOf(name);
const NO_DOCS = 0;

/** Numbers type shapes for the metadata: equal shapes get one number, parts come before what contains them. */
export class TypeTable {
  readonly #ids = new Map<string, number>();
  readonly #types: Uint8Array[] = [];
  readonly #known = new Map<TypeShape, number>();

  /** The number of `shape`, entering it and its parts if they are new. */
  id(shape: TypeShape): number {
    const known = this.#known.get(shape);
    if (known !== undefined) return known;
    const encoded = this.#encode(shape);
    const key = Buffer.from(encoded).toString('latin1');
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.#types.length;
      this.#ids.set(key, id);
      this.#types.push(encoded);
    }
    this.#known.set(shape, id);
    return id;
  }

  /** `Vec<PortableType>` of everything entered so far. */
  write(out: ScaleWriter): void {
    out.compact(this.#types.length);
    for (const [id, type] of this.#types.entries()) {
      out.compact(id);
      out.bytes(type);
    }
  }

  #encode(shape: TypeShape): Uint8Array {
    const out = new ScaleWriter();
    out.compact(shape.path.length);
    for (const segment of shape.path) out.text(segment);
    out.compact(shape.params.length);
    for (const { name, type } of shape.params) {
      out.text(name);
      out.u8(type === null ? 0 : 1);
      if (type !== null) out.compact(this.id(type));
    }
    this.#definition(shape.definition, out);
    out.compact(NO_DOCS);
    return out.finish();
  }

  #definition(definition: Definition, out: ScaleWriter): void {
    switch (definition.kind) {
      case 'composite':
        out.u8(0);
        this.#fields(definition.fields, out);
        return;
      case 'variant':
        out.u8(1);
        out.compact(definition.variants.length);
        for (const { name, index, fields } of definition.variants) {
          out.text(name);
          this.#fields(fields, out);
          out.u8(index);
          out.compact(NO_DOCS);
        }
        return;
      case 'sequence':
        out.u8(2);
        out.compact(this.id(definition.item));
        return;
      case 'array':
        out.u8(3);
        out.u32(definition.length);
        out.compact(this.id(definition.item));
        return;
      case 'tuple':
        out.u8(4);
        out.compact(definition.items.length);
        for (const item of definition.items) out.compact(this.id(item));
        return;
      case 'primitive':
        out.u8(5);
        out.u8(primitiveIndex(definition.primitive));
        return;
      case 'compact':
        out.u8(6);
        out.compact(this.id(definition.item));
    }
  }

  #fields(fields: readonly FieldShape[], out: ScaleWriter): void {
    out.compact(fields.length);
    for (const { name, type } of fields) {
      out.u8(name === null ? 0 : 1);
      if (name !== null) out.text(name);
      out.compact(this.id(type));
      out.u8(0); // no type name
      out.compact(NO_DOCS);
    }
  }
}
